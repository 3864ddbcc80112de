import type { Config } from './config.js';

interface HostSettings extends Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'> {
  readonly mcp: Pick<Config['mcp'], 'hosts'>;
}

const hostOf = (publicUrl: string | undefined) =>
  publicUrl === undefined ? [] : [new URL(publicUrl).hostname];

/** The host names that the server accepts, besides IP addresses and names without a dot; "*" stands for all. */
export const servedNames = ({ host, publicUrl, allowedHosts, mcp }: HostSettings): readonly string[] => [
  ...new Set([...(host.includes(':') ? [] : [host]), ...hostOf(publicUrl), ...allowedHosts, ...mcp.hosts]),
];
