const base = 'http://this-server.invalid';

/** The path and query of an address of this server; the fallback for one that leads, or may lead, elsewhere. */
export function localPath(text: string | undefined, fallback: string): string {
  if (text === undefined || !/^\/(?![/\\])/u.test(text) || !URL.canParse(text, base)) return fallback;
  const url = new URL(text, base);
  return url.origin === base ? url.pathname + url.search : fallback;
}
