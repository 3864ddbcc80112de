import { createChangingFile } from './changing-file.js';

const RESOLV_CONF = '/etc/resolv.conf';
/** The limit of older versions of glibc. Each search domain costs more questions for names that do not exist. */
const MAX_DOMAINS = 6;

/**
 * Parses the search domains of resolv.conf: at most MAX_DOMAINS, from the last `search` or `domain` line, as for the
 * system.
 */
export function parseSearchDomains(text: string): readonly string[] {
  let domains: readonly string[] = [];
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/u, '')
      .trim()
      .toLowerCase()
      .split(/\s+/u);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
  }
  return domains
    .map((domain) => domain.replace(/^\.+|\.+$/gu, ''))
    .filter((domain) => domain !== '')
    .slice(0, MAX_DOMAINS);
}

/** Returns a function that returns the current search domains of this machine. */
export const openSearchDomains = (path = RESOLV_CONF): (() => readonly string[]) =>
  createChangingFile(path, parseSearchDomains);
