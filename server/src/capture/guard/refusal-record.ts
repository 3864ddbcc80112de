import { parseUrl } from '@signpost/contract';
import type { RefusalReason } from './connect-upstream.js';

const MAX_ENTRIES = 10_000;

/** What the guard refused or could not reach lately, by host and port: the only source that says why a page failed. */
export class RefusalRecord {
  readonly #reasons = new Map<string, RefusalReason>();

  add(host: string, port: number, reason: RefusalReason): void {
    const key = `${host}:${port}`;
    this.#reasons.delete(key);
    this.#reasons.set(key, reason);
    const oldest = this.#reasons.keys().next();
    if (this.#reasons.size > MAX_ENTRIES && oldest.done !== true) this.#reasons.delete(oldest.value);
  }

  /** The host could be reached: what was recorded earlier holds no longer. */
  forget(host: string, port: number): void {
    this.#reasons.delete(`${host}:${port}`);
  }

  /** Why the address of this URL was not reached, if the guard knows. */
  reasonFor(url: string): RefusalReason | undefined {
    const parsed = parseUrl(url);
    if (parsed === undefined) return undefined;
    const { hostname, port, protocol } = parsed;
    const host = hostname.replace(/^\[|\]$/gu, '');
    return this.#reasons.get(`${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`);
  }
}
