import { announce, element } from './dom.js';

const KIB = 1_024;
const SECOND_MS = 1_000;
/** A picture whose height is more than this multiple of its width scrolls in a box of its own. */
const LONG = 1.5;

function limitsLine({ headers }: Response): string | undefined {
  const left = headers.get('X-Limits-Left');
  return left === null ? undefined : `This key: ${left}.`;
}

function formatSize(bytes: number): string {
  if (bytes < KIB * KIB) return `${Math.ceil(bytes / KIB).toLocaleString('en-GB')} KiB`;
  return `${(bytes / KIB / KIB).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MiB`;
}

function formatSeconds(milliseconds: string | null): string | undefined {
  if (milliseconds === null) return undefined;
  const value = Number(milliseconds) / SECOND_MS;
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} s`;
}

function figures(answer: Response, blob: Blob): HTMLElement {
  const { headers } = answer;
  const facts = [
    ['Size', formatSize(blob.size)],
    ['Time taken', formatSeconds(headers.get('X-Capture-Time-Ms') ?? headers.get('X-Generation-Time-Ms'))],
    ['Pages', headers.get('X-Page-Count') ?? undefined],
    ['The page answered with', headers.get('X-Page-Status') ?? undefined],
    ['Its title', decodeURIComponent(headers.get('X-Page-Title') ?? '') || undefined],
    ['Its address in the end', headers.get('X-Page-Url') ?? undefined],
  ] as const;
  return element(
    'dl',
    { class: 'figures' },
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [element('div', {}, element('dt', {}, name), element('dd', {}, value))],
    ),
  );
}

function picture(blobUrl: string, url: string): HTMLElement {
  const image = element('img', { alt: `Picture of ${url}` });
  const box = element('div', {}, image);
  image.addEventListener('load', () => {
    if (image.naturalHeight <= LONG * image.naturalWidth) return;
    box.className = 'long';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', image.alt);
  });
  image.src = blobUrl;
  return box;
}

function paper(blobUrl: string, url: string): HTMLElement {
  if (!navigator.pdfViewerEnabled) {
    return element('p', {}, 'The PDF is ready. This browser cannot show PDFs itself, so download it.');
  }
  return element('iframe', { title: `PDF of ${url}`, src: blobUrl });
}

function links(answer: Response, blobUrl: string): HTMLElement {
  const [, name = ''] = /filename="([^"]+)"/u.exec(answer.headers.get('Content-Disposition') ?? '') ?? [];
  const link = element('a', { class: 'button', href: blobUrl, download: name }, 'Download');
  const left = limitsLine(answer);
  return element(
    'p',
    { class: 'actions' },
    link,
    ...(left === undefined ? [] : [element('span', { class: 'muted' }, left)]),
  );
}

/** The object URL of the shown file. */
let shownUrl: string | undefined;

/** Shows the file of a response with its figures, replacing the previous one. */
export async function showCapture(place: HTMLElement, answer: Response, url: string): Promise<void> {
  if (shownUrl !== undefined) URL.revokeObjectURL(shownUrl);
  const blob = await answer.blob();
  const blobUrl = URL.createObjectURL(blob);
  const shown = blob.type === 'application/pdf' ? paper(blobUrl, url) : picture(blobUrl, url);
  shownUrl = blobUrl;
  place.replaceChildren(figures(answer, blob), shown, links(answer, blobUrl));
  announce('The answer is there.');
}
