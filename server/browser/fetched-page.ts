/**
 * Fetches a page of this server, even one with the status of an error; undefined if the response is redirected or not
 * HTML. Rejects if there is no response.
 */
export async function fetchPage(address: string, init: RequestInit = {}): Promise<Document | undefined> {
  return parsePage(await fetch(address, { ...init, headers: { Accept: 'text/html' } }));
}

export async function parsePage(answer: Response): Promise<Document | undefined> {
  if (answer.redirected || answer.headers.get('Content-Type')?.startsWith('text/html') !== true)
    return undefined;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Replaces the contents of a part of this page with those of a fetched page. False if either page lacks the part. */
export function replacePart(fresh: Document, id: string): boolean {
  const current = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (current === null || part === null) return false;
  current.replaceChildren(...part.childNodes);
  return true;
}

/** Updates the code blocks from a fetched page. Keeps the chosen tab and the focus. */
export function updateCode(fresh: Document): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.code-tabs pre')) {
    const part = fresh.getElementById(pre.id);
    if (part !== null && part.innerHTML !== pre.innerHTML) pre.replaceChildren(...part.childNodes);
  }
}
