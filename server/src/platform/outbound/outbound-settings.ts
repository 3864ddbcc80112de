/** How requests leave the machine; plain data that can be passed between threads and processes. */
export interface OutboundSettings {
  /** The proxy for outgoing requests; undefined if they go out directly. */
  readonly proxy: ProxySettings | undefined;
  /** A file of certificates that are trusted beside the public ones. */
  readonly extraCaFile: string | undefined;
}

export interface ProxySettings {
  /** The proxy's URL: http or https, with user and password if the proxy requires them. */
  readonly url: string;
  /**
   * Hosts that are reached without the proxy: names (each with its subdomains), addresses and networks; `*` for all
   * hosts.
   */
  readonly except: readonly string[];
  /** Whether the proxy, rather than this machine, resolves names. */
  readonly resolvesNames: boolean;
}

export const DIRECT: OutboundSettings = { proxy: undefined, extraCaFile: undefined };

/** The scheme, host and port of a proxy, without user and password. */
export function proxyLabel({ url }: Pick<ProxySettings, 'url'>): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}:${proxyPort({ url })}`;
}

/** The port of a proxy; that of its scheme if the URL has none. */
export const proxyPort = ({ url }: Pick<ProxySettings, 'url'>): number => {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
};
