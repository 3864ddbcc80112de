import { announce } from './dom.js';

const KIB = 1_024;
const SECOND_MS = 1_000;
/** A picture that is taller than this many times its width scrolls in a box of its own. */
const LONG = 1.5;

const isFile = ({ headers }: Response) =>
  /^(?:image\/|application\/pdf)/u.test(headers.get('Content-Type') ?? '');

function limitsLine({ headers }: Response): string | undefined {
  const left = headers.get('X-Limits-Left');
  return left === null ? undefined : `This key: ${left}.`;
}

/** Why there is no file, and what the key has left; undefined where there is one. */
export async function describeFailure(answer: Response): Promise<string | undefined> {
  if (answer.ok && isFile(answer) && !answer.redirected) return undefined;
  if (answer.redirected) return 'You are signed out. Reload the page and sign in again.';
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') === true;
  const body: unknown = isJson ? await answer.json() : undefined;
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return `The server refused the form (status ${answer.status}). Reload the page and try again.`;
  const left = limitsLine(answer);
  return left === undefined ? body.error : `${body.error} ${left}`;
}

function size(bytes: number): string {
  if (bytes < KIB * KIB) return `${Math.ceil(bytes / KIB).toLocaleString('en-GB')} KiB`;
  return `${(bytes / KIB / KIB).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MiB`;
}

function seconds(milliseconds: string | null): string | undefined {
  if (milliseconds === null) return undefined;
  const value = Number(milliseconds) / SECOND_MS;
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} s`;
}

function figures(answer: Response, blob: Blob): HTMLElement {
  const { headers } = answer;
  const list = document.createElement('dl');
  list.className = 'figures';
  for (const [name, value] of [
    ['Size', size(blob.size)],
    ['Time taken', seconds(headers.get('X-Capture-Time-Ms') ?? headers.get('X-Generation-Time-Ms'))],
    ['Pages', headers.get('X-Page-Count') ?? undefined],
    ['The page answered with', headers.get('X-Page-Status') ?? undefined],
  ] as const) {
    if (value === undefined) continue;
    const pair = document.createElement('div');
    const term = document.createElement('dt');
    const figure = document.createElement('dd');
    term.textContent = name;
    figure.textContent = value;
    pair.append(term, figure);
    list.append(pair);
  }
  return list;
}

function picture(blobUrl: string, url: string): HTMLElement {
  const image = document.createElement('img');
  const box = document.createElement('div');
  image.alt = `Picture of ${url}`;
  image.addEventListener('load', () => {
    if (image.naturalHeight <= LONG * image.naturalWidth) return;
    box.className = 'long';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', image.alt);
  });
  image.src = blobUrl;
  box.append(image);
  return box;
}

function paper(blobUrl: string, url: string): HTMLElement {
  if (!navigator.pdfViewerEnabled) {
    const words = document.createElement('p');
    words.textContent = 'The PDF is there. This browser does not show PDFs itself, so download it.';
    return words;
  }
  const frame = document.createElement('iframe');
  frame.title = `PDF of ${url}`;
  frame.src = blobUrl;
  return frame;
}

function links(answer: Response, blobUrl: string): HTMLElement {
  const line = document.createElement('p');
  const link = document.createElement('a');
  line.className = 'actions';
  link.className = 'button';
  link.href = blobUrl;
  link.download = /filename="([^"]+)"/u.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? '';
  link.textContent = 'Download';
  line.append(link);
  const left = limitsLine(answer);
  if (left !== undefined) {
    const words = document.createElement('span');
    words.className = 'muted';
    words.textContent = left;
    line.append(words);
  }
  return line;
}

/** Shows the file of an answer with its figures; the address under which the browser keeps it is to be revoked. */
export async function showCapture(place: HTMLElement, answer: Response, url: string): Promise<string> {
  const blob = await answer.blob();
  const blobUrl = URL.createObjectURL(blob);
  const shown = blob.type === 'application/pdf' ? paper(blobUrl, url) : picture(blobUrl, url);
  place.replaceChildren(figures(answer, blob), shown, links(answer, blobUrl));
  announce('The capture is below the form.');
  return blobUrl;
}
