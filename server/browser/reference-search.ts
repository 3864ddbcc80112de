import { fetchPage, takeOverCode } from './fetched-page.js';

/** Hides the operations that do not match all words, and the links to them. */
function filter(words: string): void {
  const wanted = words.toLowerCase().split(/\s+/u);
  const all = [
    ...document.querySelectorAll<HTMLElement>('.reference-body section.operation[data-operation]'),
  ];
  const hidden = all.filter((section) => {
    const text = section.textContent.toLowerCase();
    section.hidden = !wanted.every((word) => text.includes(word));
    const entry = document.querySelector(`nav.contents a[href="#${section.id}"]`)?.closest('li');
    if (entry !== null && entry !== undefined) entry.hidden = section.hidden;
    return section.hidden;
  });
  for (const group of document.querySelectorAll<HTMLElement>('.reference-body > section.group')) {
    const members = [...group.querySelectorAll<HTMLElement>('[data-operation]')];
    group.hidden = members.length > 0 && members.every((section) => section.hidden);
  }
  const found = document.getElementById('reference-found');
  if (found === null) return;
  found.textContent = hidden.length === 0 ? '' : `${all.length - hidden.length} of ${all.length} operations.`;
}

/** Searches while somebody types, and puts the chosen key into the code, without loading a page. */
export function enableReferenceSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.reference-search');
  const words = form?.querySelector<HTMLInputElement>('input[type="search"]');
  if (form === null || words === null || words === undefined) return;
  // If the address filtered operations out, they are missing from this page and cannot be found.
  const isWhole = new URLSearchParams(location.search).get('q') === null || words.value === '';
  if (isWhole) {
    form.querySelector('button')?.setAttribute('hidden', '');
    words.addEventListener('input', () => filter(words.value));
    form.addEventListener('submit', (event) => event.preventDefault());
  }
  form.querySelector('select')?.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    if (!isWhole) {
      form.submit();
      return;
    }
    const address = `/reference?${new URLSearchParams({ key: target.value })}`;
    const put = async () => {
      const fresh = await fetchPage(address);
      if (fresh === undefined) throw new Error('No page of ours was answered.');
      takeOverCode(fresh);
      history.replaceState(null, '', address);
    };
    void put().catch(() => form.submit());
  });
}
