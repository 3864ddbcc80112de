import { announce, element } from './dom.js';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;
const SECOND_MS = 1_000;
/** A picture scrolls in a box of its own if its height is more than this multiple of its width. */
const LONG = 1.5;

function limitsLine({ headers }: Response): string | undefined {
  const limits = headers.get('X-Limits-Left');
  return limits === null ? undefined : `This key: ${limits}.`;
}

function formatSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / KILOBYTE).toLocaleString('en-GB')} kB`;
  return `${(bytes / MEGABYTE).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MB`;
}

function formatSeconds(milliseconds: string | null): string | undefined {
  if (milliseconds === null) return undefined;
  const value = Number(milliseconds) / SECOND_MS;
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} s`;
}

const GOOD_STATUS = '200';

/**
 * The line about a file: its dimensions, number of pages and size, how long the capture took, the page's status unless
 * it is 200, and the page's title. Leaves out what is not known.
 */
function caption({ headers }: Response, blob: Blob, dimensions: string): string {
  const pages = headers.get('X-Page-Count');
  const status = headers.get('X-Page-Status');
  const facts = [
    dimensions || undefined,
    pages === null ? undefined : `${pages} ${pages === '1' ? 'page' : 'pages'}`,
    formatSize(blob.size),
    formatSeconds(headers.get('X-Capture-Time-Ms') ?? headers.get('X-Generation-Time-Ms')),
    status === null || status === GOOD_STATUS ? undefined : `the page answered with ${status}`,
    decodeURIComponent(headers.get('X-Page-Title') ?? '') || undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function createPicture(blobUrl: string, url: string, onSize: (dimensions: string) => void): HTMLElement {
  const image = element('img', { alt: `Picture of ${url}` });
  const box = element('div', {}, image);
  image.addEventListener('load', () => {
    onSize(`${image.naturalWidth} × ${image.naturalHeight}`);
    if (image.naturalHeight <= LONG * image.naturalWidth) return;
    box.className = 'long';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', image.alt);
  });
  image.src = blobUrl;
  return box;
}

function createPdf(blobUrl: string, url: string): HTMLElement {
  if (!navigator.pdfViewerEnabled) {
    return element('p', {}, 'The PDF is ready. This browser cannot show PDFs itself, so download it.');
  }
  return element('iframe', { title: `PDF of ${url}`, src: blobUrl });
}

function createLinks(answer: Response, blobUrl: string): HTMLElement {
  const [, name = ''] = /filename="([^"]+)"/u.exec(answer.headers.get('Content-Disposition') ?? '') ?? [];
  const link = element('a', { class: 'button', href: blobUrl, download: name }, 'Download');
  const limits = limitsLine(answer);
  return element(
    'p',
    { class: 'actions' },
    link,
    ...(limits === undefined ? [] : [element('span', { class: 'muted' }, limits)]),
  );
}

let shown: { readonly element: HTMLElement; readonly blobUrl: string; readonly form: string } | undefined;

const formWithoutLink = (body: URLSearchParams): string =>
  new URLSearchParams([...body].filter(([name]) => name !== 'link')).toString();

/** The element with the last captured file, if it was captured with these values, apart from `link`; or undefined. */
export const captureOf = (body: URLSearchParams): HTMLElement | undefined =>
  shown?.form === formWithoutLink(body) ? shown.element : undefined;

/**
 * Shows the file that was captured for a form, with a caption and a download link, as the only content of the
 * container.
 */
export async function showCapture(
  container: HTMLElement,
  answer: Response,
  body: URLSearchParams,
): Promise<void> {
  if (shown !== undefined) URL.revokeObjectURL(shown.blobUrl);
  const url = body.get('url') ?? 'the page';
  const blob = await answer.blob();
  const blobUrl = URL.createObjectURL(blob);
  const line = element('p', { class: 'caption' }, caption(answer, blob, ''));
  const content =
    blob.type === 'application/pdf'
      ? createPdf(blobUrl, url)
      : createPicture(blobUrl, url, (dimensions) => (line.textContent = caption(answer, blob, dimensions)));
  const capture = element('div', {}, content, line, createLinks(answer, blobUrl));
  shown = { element: capture, blobUrl, form: formWithoutLink(body) };
  container.replaceChildren(capture);
  announce('The answer is there.');
}
