/** The host of a `Host` or `Origin` header, without its port. */
export function hostOf(header: string): string {
  const host = header.replace(/^https?:\/\//, "");
  return /^\[[^\]]*\]/.exec(host)?.[0] ?? host.replace(/:\d*$/, "");
}
