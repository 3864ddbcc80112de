import { announce, element } from './dom.js';

const PAUSE_MS = 150;
const LEAST_CHARACTERS = 2;

async function fetchSuggestions(
  partial: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const body = new URLSearchParams({ _csrf: token, partial });
  const answer = await fetch('/reference/suggestions', { method: 'POST', body, signal, redirect: 'error' });
  const result: unknown = answer.ok ? await answer.json() : undefined;
  if (typeof result !== 'object' || result === null || !('postcodes' in result)) return [];
  return Array.isArray(result.postcodes) ? result.postcodes.map(String) : [];
}

/** The list of suggestions below a field, from which people choose by arrow keys or pointer. */
class Suggestions {
  readonly #list: HTMLUListElement;
  #index = -1;

  constructor(readonly input: HTMLInputElement) {
    this.#list = element('ul', {
      id: `${input.id}-list`,
      role: 'listbox',
      class: 'suggestions',
      'aria-label': 'Postcodes',
    });
    this.#list.hidden = true;
    input.after(this.#list);
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-autocomplete', 'list'],
      ['aria-controls', this.#list.id],
      ['aria-expanded', 'false'],
    ] as const)
      input.setAttribute(name, value);
    // Listens for pointerdown, because it comes before the field loses the focus, which closes the list.
    this.#list.addEventListener('pointerdown', (event) => {
      const option = event.target instanceof Element ? event.target.closest('li') : null;
      event.preventDefault();
      if (option !== null) this.choose(option);
    });
  }

  get isOpen(): boolean {
    return !this.#list.hidden;
  }

  get chosen(): Element | undefined {
    return this.#list.children[this.#index];
  }

  show(postcodes: readonly string[]): void {
    this.#index = -1;
    this.input.removeAttribute('aria-activedescendant');
    const isWhole = postcodes.length === 1 && postcodes[0] === this.input.value;
    this.#list.replaceChildren(
      ...postcodes.map((postcode, index) =>
        element(
          'li',
          { id: `${this.#list.id}-${index}`, role: 'option', 'aria-selected': 'false' },
          postcode,
        ),
      ),
    );
    this.#list.hidden = postcodes.length === 0 || isWhole;
    this.input.setAttribute('aria-expanded', String(this.isOpen));
    if (this.isOpen) announce(`${postcodes.length} postcodes begin so.`);
  }

  step(by: number): void {
    const { length } = this.#list.children;
    this.chosen?.setAttribute('aria-selected', 'false');
    this.#index = (this.#index + by + length + (this.#index < 0 && by < 0 ? 1 : 0)) % length;
    this.chosen?.setAttribute('aria-selected', 'true');
    this.chosen?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', this.chosen?.id ?? '');
  }

  choose(option: Element): void {
    this.input.value = option.textContent;
    this.show([]);
    this.input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

export function enableSuggestions(input: HTMLInputElement, token: string): void {
  const suggestions = new Suggestions(input);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    pending.abort();
    suggestions.show([]);
  };
  const ask = async () => {
    const { signal } = (pending = new AbortController());
    try {
      suggestions.show(await fetchSuggestions(input.value, token, signal));
    } catch {
      // Closes the list of an earlier text. If the request was aborted, other code updates the list.
      if (!signal.aborted) suggestions.show([]);
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    pending.abort();
    if (input.value.trim().length < LEAST_CHARACTERS) suggestions.show([]);
    else timer = setTimeout(() => void ask(), PAUSE_MS);
  });
  input.addEventListener('blur', stop);
  input.addEventListener('keydown', (event) => {
    if (!suggestions.isOpen) return;
    const { chosen } = suggestions;
    if (event.key === 'ArrowDown') suggestions.step(1);
    else if (event.key === 'ArrowUp') suggestions.step(-1);
    else if (event.key === 'Escape') stop();
    else if (event.key === 'Enter' && chosen !== undefined) suggestions.choose(chosen);
    else return;
    event.preventDefault();
  });
}
