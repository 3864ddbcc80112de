import { type AllowedCallers, LOOPBACK_HOSTS } from 'signpost-mcp';

interface Addresses {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly mcp: AllowedCallers;
}

const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Who may call `/mcp`: under the server's own names and those that were configured. */
export function allowedMcpCallers({ host, publicUrl, mcp }: Addresses): AllowedCallers {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return {
    hosts: [
      ...LOOPBACK_HOSTS,
      ...(ANY_ADDRESS.includes(host) ? [] : [host.includes(':') ? `[${host}]` : host]),
      ...(url === undefined ? [] : [url.hostname]),
      ...mcp.hosts,
    ],
    origins: [...(url === undefined ? [] : [url.origin]), ...mcp.origins],
  };
}
