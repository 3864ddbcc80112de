/** Fetches a page of this server; undefined if the response is redirected or not HTML. Rejects if the request fails. */
export async function fetchPage(address: string, init: RequestInit = {}): Promise<Document | undefined> {
  return pageOf(await fetch(address, { ...init, headers: { Accept: 'text/html' } }));
}

export async function pageOf(answer: Response): Promise<Document | undefined> {
  if (answer.redirected || answer.headers.get('Content-Type')?.startsWith('text/html') !== true)
    return undefined;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Replaces the contents of a part of this page with those of a fetched page. False if either page lacks the part. */
export function takeOver(fresh: Document, id: string): boolean {
  const shown = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (shown === null || part === null) return false;
  shown.replaceChildren(...part.childNodes);
  return true;
}

/** Updates the code blocks from a fetched page. Keeps the chosen tab and the focus. */
export function takeOverCode(fresh: Document): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.code-tabs pre')) {
    const part = fresh.getElementById(pre.id);
    if (part !== null && part.innerHTML !== pre.innerHTML) pre.replaceChildren(...part.childNodes);
  }
}
