/**
 * The address in a text; undefined where it is none. `URL.canParse` is not asked: after some thousand calls Node.js 20
 * refuses addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
