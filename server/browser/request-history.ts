import { element } from './dom.js';

const MAX_ENTRIES = 10;

/**
 * A request that was sent from a form of the console. `address` opens the form with its values, except secret and long
 * ones.
 */
interface Entry {
  readonly address: string;
  readonly title: string;
  readonly status: string;
  readonly at: string;
  readonly requestId: string;
}

const FIELDS: readonly string[] = ['address', 'title', 'status', 'at', 'requestId'] satisfies (keyof Entry)[];

const isEntry = (value: unknown): value is Entry => {
  const texts = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return FIELDS.every((name) => typeof texts.get(name) === 'string');
};

function readEntries(name: string): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function storeEntries(name: string, entries: readonly Entry[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(entries));
  } catch {
    // If storage is not available or full, the history stays unchanged.
  }
}

const wordsOf = (address: string) =>
  [...new URL(address, location.origin).searchParams]
    .filter(([name]) => !['key', 'without'].includes(name))
    .map(([, value]) => value)
    .join(', ');

export class RequestHistory {
  readonly #name: string;

  constructor(accountId: string) {
    this.#name = `requests ${accountId}`;
    document.getElementById('forget-history')?.addEventListener('click', () => {
      storeEntries(this.#name, []);
      this.show();
    });
  }

  /** The address that opens the form with a request's values; undefined if it is not stored in this browser. */
  addressOf(requestId: string): string | undefined {
    return readEntries(this.#name).find((entry) => entry.requestId === requestId)?.address;
  }

  add(entry: Entry): void {
    const others = readEntries(this.#name).filter(({ address }) => address !== entry.address);
    storeEntries(this.#name, [entry, ...others].slice(0, MAX_ENTRIES));
    this.show();
  }

  show(): void {
    const entries = readEntries(this.#name);
    const section = document.getElementById('history');
    if (section !== null) section.hidden = entries.length === 0;
    document
      .getElementById('history-list')
      ?.replaceChildren(
        ...entries.map(({ address, title, status, at }) =>
          element(
            'li',
            {},
            element('a', { href: address }, title),
            element('span', { class: 'history-words' }, wordsOf(address)),
            element(
              'span',
              { class: 'muted' },
              `${status}, ${new Date(at).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })}`,
            ),
          ),
        ),
      );
  }
}
