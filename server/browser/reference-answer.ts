import { element } from './dom.js';
import { enterAccessToken } from './reference-credentials.js';

/** A complete response. */
export interface CallAnswer {
  readonly response: Response;
  readonly body: Blob;
  /** Secrets to hide in the shown response. */
  readonly secrets: readonly string[];
  /** The documented response headers of this operation, by name. */
  readonly headerNames: readonly string[];
  /** The object URL of the body, valid while the page shows it. */
  readonly url: string;
}

const COMMON_HEADERS = ['Content-Type', 'Content-Length', 'Retry-After', 'WWW-Authenticate', 'Allow'];
const KILOBYTE_BYTES = 1_000;

const formatSize = (bytes: number) =>
  bytes < KILOBYTE_BYTES
    ? `${bytes} bytes`
    : `${Math.ceil(bytes / KILOBYTE_BYTES).toLocaleString('en-GB')} kB`;

function headerList({ response, headerNames }: CallAnswer): HTMLElement {
  const list = element('dl', { class: 'meanings headers' });
  for (const name of new Set([...COMMON_HEADERS, ...headerNames])) {
    const value = response.headers.get(name);
    if (value === null) continue;
    list.append(element('div', {}, element('dt', {}, element('code', {}, name)), element('dd', {}, value)));
  }
  return list;
}

const code = (text: string) =>
  element(
    'pre',
    { tabindex: '0', role: 'region', 'aria-label': 'Body of the answer' },
    element('code', {}, text),
  );

/** The new access token in a response, if it contains one. */
function accessTokenOf(parsed: unknown): string | undefined {
  if (typeof parsed !== 'object' || parsed === null || !('access_token' in parsed)) return undefined;
  return typeof parsed.access_token === 'string' ? parsed.access_token : undefined;
}

function jsonParts(text: string, secrets: readonly string[]): readonly HTMLElement[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [code(text)];
  }
  const pretty = secrets.reduce(
    (shown, secret) => shown.replaceAll(JSON.stringify(secret), '"(as sent, not shown here)"'),
    JSON.stringify(parsed, null, 2),
  );
  const token = accessTokenOf(parsed);
  if (token === undefined) return [code(pretty)];
  const button = element(
    'button',
    { type: 'button', class: 'secondary' },
    'Use this access token on this page',
  );
  button.addEventListener('click', () => {
    enterAccessToken(token);
    button.replaceChildren('Entered as the authorisation value');
  });
  return [code(pretty), element('p', {}, button)];
}

function download(name: string, label: string, url: string): HTMLElement {
  return element('p', {}, element('a', { href: url, download: name, class: 'button secondary' }, label));
}

const formatPages = (pages: string | null) =>
  pages === null ? '' : `${pages} ${pages === '1' ? 'page' : 'pages'}, `;

/** Shows a response: its headers, and its body according to its type. */
export async function showAnswer(place: HTMLElement, answered: CallAnswer): Promise<void> {
  const { response, body, secrets, url } = answered;
  const [type = ''] = (response.headers.get('Content-Type') ?? '').split(';');
  const extension = type.split('/')[1] ?? 'bin';
  const parts: HTMLElement[] = [headerList(answered)];
  if (type === 'application/json') {
    parts.push(...jsonParts(await body.text(), secrets));
  } else if (type.startsWith('image/')) {
    parts.push(element('img', { src: url, alt: 'The picture that was answered' }));
    parts.push(download(`page.${extension}`, `Download the picture (${formatSize(body.size)})`, url));
  } else if (type === 'application/pdf') {
    const pages = formatPages(response.headers.get('X-Page-Count'));
    parts.push(download(`page.${extension}`, `Download the PDF (${pages}${formatSize(body.size)})`, url));
  } else if (body.size > 0) {
    parts.push(
      type.startsWith('text/') ? code(await body.text()) : download(`answer.${extension}`, 'Download', url),
    );
  }
  place.replaceChildren(...parts);
}
