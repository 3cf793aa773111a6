/** The address of a server as it may be shown and logged: without user, password and options. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "an address that is no URL";
  const { protocol, host, pathname } = new URL(address);
  // Without slashes anything may stand there, a password too.
  if (pathname !== "" && !pathname.startsWith("/")) return "an address that is no URL of a server";
  return `${protocol}//${host}${pathname}`;
}
