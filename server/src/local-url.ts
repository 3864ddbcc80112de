/** Where a server is reached from its own machine, without a slash at the end; one that listens everywhere at 127.0.0.1. */
export function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
