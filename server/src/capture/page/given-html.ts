import type { PageContent } from '@signpost/contract';
import type { RandomBytes } from '../../platform/random.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { LocatedRequest, PageRequest } from './page-request.js';

const NAME_BYTES = 16;

/** Everything that may come before the content of the head. All of it is optional. */
const BEFORE_CONTENT =
  /^\uFEFF?(?:\s|<!--[^]*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--[^]*?-->)*(?:<html(?=[\s>])(?:"[^"]*"|'[^']*'|[^'">])*>)?(?:\s|<!--[^]*?-->)*(?:<head(?=[\s>])(?:"[^"]*"|'[^']*'|[^'">])*>)?/iu;

/** Inserts a base element with this URL before everything whose address it affects. */
function withBase(html: string, baseUrl: string): string {
  const at = BEFORE_CONTENT.exec(html)?.[0].length ?? 0;
  return `${html.slice(0, at)}<base href="${new URL(baseUrl).href}">${html.slice(at)}`;
}

/**
 * The request with the address of its page: its own `url` or, for HTML, a made-up address that no other page shares and
 * no server has. The host of that address is below "localhost": browsers trust such names like https, but also let the
 * page load pictures over http.
 */
export const withPageUrl = <Request extends PageRequest>(
  request: Request,
  randomBytes: RandomBytes,
): Request & LocatedRequest => ({
  ...request,
  url: request.url ?? `http://${randomBytes(NAME_BYTES).toString('hex')}.localhost/`,
});

/** If a request has HTML, serves it at the address of its page, and an empty 404 for all else at that origin. */
export async function answerWithHtml(
  { requests, document: { frameId } }: BlankPage,
  { url, html, baseUrl }: LocatedRequest,
): Promise<void> {
  if (html === undefined) return;
  const page = baseUrl === undefined ? html : withBase(html, baseUrl);
  const body = Buffer.from(page).toString('base64');
  await requests.answer([{ urlPattern: `${url}*` }], (pausedRequest) => {
    if (!pausedRequest.request.url.startsWith(url)) return undefined;
    const isPage =
      pausedRequest.request.url === url &&
      pausedRequest.resourceType === 'Document' &&
      pausedRequest.frameId === frameId;
    return {
      responseCode: isPage ? 200 : 404,
      responseHeaders: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }],
      body: isPage ? body : '',
    };
  });
}

const MADE_UP_ORIGIN = /http:\/\/[\da-f]{32}\.localhost(?=\/)/gu;
/** Whether an address was made up for HTML during its capture. */
export const isMadeUpUrl = (url: string) => url.search(MADE_UP_ORIGIN) === 0;

/**
 * The content of a page without the address that was made up for its HTML: `url` becomes `baseUrl` or null, and links
 * to that address are dropped. Unchanged if the request has no HTML.
 */
export function withoutMadeUpUrl<Content extends Pick<PageContent, 'url' | 'content' | 'links'>>(
  content: Content,
  { html, baseUrl }: PageRequest,
): Content {
  if (html === undefined) return content;
  return {
    ...content,
    url: content.url !== null && isMadeUpUrl(content.url) ? (baseUrl ?? null) : content.url,
    content: content.content.replaceAll(MADE_UP_ORIGIN, ''),
    links: content.links?.filter(({ url }) => !isMadeUpUrl(url)) ?? null,
  };
}
