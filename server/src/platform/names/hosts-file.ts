import { isIP } from 'node:net';
import { createChangingFile } from './changing-file.js';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export const HOSTS_FILE =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

/** Parses lines such as "10.0.0.5 intranet wiki # comment" into a map from names in lower case to their addresses. */
export function parseHosts(text: string): ReadonlyMap<string, readonly HostAddress[]> {
  const hosts = new Map<string, HostAddress[]>();
  for (const line of text.split(/\r?\n/u)) {
    const [address = '', ...names] = line.replace(/#.*/u, '').trim().split(/\s+/u);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/u, '');
      const addresses = hosts.get(key) ?? [];
      if (!addresses.some((existing) => existing.address === address)) addresses.push({ address, family });
      hosts.set(key, addresses);
    }
  }
  return hosts;
}

/**
 * Returns a function that returns the addresses that the hosts file has for a name in lower case; an empty list if the
 * file does not have the name.
 */
export function openHostsFile(path = HOSTS_FILE): (name: string) => readonly HostAddress[] {
  const hosts = createChangingFile(path, parseHosts);
  return (name) => hosts().get(name) ?? [];
}
