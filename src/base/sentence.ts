/** A message that may have come from anywhere, closed with a full stop where it was left open: for what follows it. */
export function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
