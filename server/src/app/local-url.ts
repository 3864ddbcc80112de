/** The URL at which a machine reaches its own server, without a final slash: 127.0.0.1 if it listens everywhere. */
export function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
