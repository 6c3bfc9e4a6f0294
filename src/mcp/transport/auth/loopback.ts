/** Whether a name or address is this machine's own loopback. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(address);
}

/** Whether an http address leads to this machine's own loopback. */
export function isLoopbackUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && isLoopback(hostname);
}
