import { element } from './dom.js';

const MAX_ENTRIES = 10;

/** A sent request, stored as its address: without secrets. */
interface Entry {
  readonly query: string;
  readonly title: string;
  readonly status: string;
  readonly atMs: number;
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'query' in value &&
  typeof value.query === 'string' &&
  'title' in value &&
  typeof value.title === 'string' &&
  'status' in value &&
  typeof value.status === 'string' &&
  'atMs' in value &&
  typeof value.atMs === 'number';

/** If storage is not available, the history is empty. */
function read(name: string): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function keep(name: string, entries: readonly Entry[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(entries));
  } catch {
    // The history then stays as it was.
  }
}

/** The entered values, in a few words. */
const wordsOf = (query: string) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => !['operation', 'key', 'without'].includes(name))
    .map(([, value]) => value)
    .join(', ');

/** The latest requests of an account in this browser. */
export class PlaygroundHistory {
  readonly #name: string;

  constructor(accountId: string) {
    this.#name = `playground ${accountId}`;
    document.getElementById('forget-history')?.addEventListener('click', () => {
      keep(this.#name, []);
      this.show();
    });
  }

  add(entry: Entry): void {
    const others = read(this.#name).filter(({ query }) => query !== entry.query);
    keep(this.#name, [entry, ...others].slice(0, MAX_ENTRIES));
    this.show();
  }

  show(): void {
    const entries = read(this.#name);
    const section = document.getElementById('history');
    if (section !== null) section.hidden = entries.length === 0;
    document
      .getElementById('history-list')
      ?.replaceChildren(
        ...entries.map(({ query, title, status, atMs }) =>
          element(
            'li',
            {},
            element('a', { href: `/playground?${query}` }, title),
            element('span', { class: 'history-words' }, wordsOf(query)),
            element(
              'span',
              { class: 'muted' },
              `${status}, ${new Date(atMs).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })}`,
            ),
          ),
        ),
      );
  }
}
