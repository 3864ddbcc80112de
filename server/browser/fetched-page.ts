/** A page of this server as it is answered now; undefined where it is not answered, or with something else. */
export async function fetchPage(address: string, init: RequestInit = {}): Promise<Document | undefined> {
  return pageOf(await fetch(address, { ...init, headers: { Accept: 'text/html' } }));
}

export async function pageOf(answer: Response): Promise<Document | undefined> {
  if (answer.redirected || answer.headers.get('Content-Type')?.startsWith('text/html') !== true)
    return undefined;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Puts the contents that a part of the page has in a page that was fetched into the place of those that it shows. */
export function takeOver(fresh: Document, id: string): boolean {
  const shown = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (shown === null || part === null) return false;
  shown.replaceChildren(...part.childNodes);
  return true;
}

/** Takes the texts of code over, so that what is chosen and what has the focus stay. */
export function takeOverCode(fresh: Document): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.code-tabs pre')) {
    const part = fresh.getElementById(pre.id);
    if (part !== null && part.innerHTML !== pre.innerHTML) pre.replaceChildren(...part.childNodes);
  }
}
