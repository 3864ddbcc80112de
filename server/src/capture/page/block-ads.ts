import type { Request } from '@ghostery/adblocker';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { PausedRequest } from '../browser/request-interceptor.js';
import type { AdFilters } from './ad-filters.js';
import type { OpenPage } from './open-page.js';
import type { LocatedRequest } from './page-request.js';
import { addStyles } from './prepare-page.js';

/**
 * The maximum number of requests that a page may make: more end the capture, because this thread handles each of them,
 * beside other captures.
 */
const MAX_REQUESTS = 5_000;
/** The maximum number of blocked addresses whose elements in the page are hidden. */
const MAX_HIDDEN = 1_000;
const MAX_ELEMENTS = 100_000;
const MAX_NAMES = 20_000;
const MAX_NAME_CHARACTERS = 2_000;
/**
 * The maximum total length of the ids, classes and links that are read from a page: this thread handles them, beside
 * other captures.
 */
const MAX_CHARACTERS = 1_000_000;

const tooManyRequests = () =>
  new ServiceError(
    'invalidRequest',
    `The page makes more than ${MAX_REQUESTS} requests, the most that a capture with "blockAds" takes.`,
  );

/** The terms of filter lists for the browser's resource types. Types that are not here are "other". */
const TYPES: Readonly<Partial<Record<PausedRequest['resourceType'], Request['type']>>> = {
  CSPViolationReport: 'csp_report',
  Document: 'sub_frame',
  Fetch: 'xhr',
  Font: 'font',
  Image: 'image',
  Media: 'media',
  Ping: 'ping',
  Script: 'script',
  Stylesheet: 'stylesheet',
  XHR: 'xhr',
};

const pageFeatures = z.object({
  ids: z.array(z.string()),
  classes: z.array(z.string()),
  hrefs: z.array(z.string()),
});

const FEATURES = `(() => {
  const features = { ids: new Set(), classes: new Set(), hrefs: new Set() };
  let left = ${MAX_CHARACTERS};
  const add = (names, name) => {
    const isName = typeof name === 'string' && name !== '' && name.length <= ${MAX_NAME_CHARACTERS};
    if (!isName || names.size >= ${MAX_NAMES} || name.length > left || names.has(name)) return;
    names.add(name);
    left -= name.length;
  };
  let count = 0;
  for (const element of document.querySelectorAll('[id], [class], [href]')) {
    if ((count += 1) > ${MAX_ELEMENTS}) break;
    add(features.ids, element.id);
    add(features.hrefs, element.href);
    if (element.classList instanceof DOMTokenList)
      for (const name of element.classList) add(features.classes, name);
  }
  return Object.fromEntries(Object.entries(features).map(([name, names]) => [name, [...names]]));
})()`;

/**
 * A script that hides the frames, images, videos and embedded objects whose content was to come from these blocked
 * addresses.
 */
const hideElements = (urls: readonly string[]) => `(() => {
  const blocked = new Set(${JSON.stringify(urls)});
  for (const element of document.querySelectorAll('iframe, img, embed, object, video'))
    if ([element.src, element.currentSrc, element.data].some((url) => blocked.has(url)))
      element.style.setProperty('display', 'none', 'important');
})()`;

/** Blocks and hides the advertisements of one page. */
class AdBlocker {
  readonly #blocked = new Set<string>();
  #requests = 0;

  readonly #filters: AdFilters;
  readonly #frameId: string;
  #pageUrl: string;
  readonly #fail: (error: Error) => void;

  constructor(filters: AdFilters, frameId: string, pageUrl: string, fail: (error: Error) => void) {
    this.#filters = filters;
    this.#frameId = frameId;
    this.#pageUrl = pageUrl;
    this.#fail = fail;
  }

  /**
   * Whether to block a request. Documents of the main frame are not blocked, even if a list names them. Calls `fail`
   * when the page makes more than MAX_REQUESTS.
   */
  isBlocked({ frameId, resourceType, request: { url } }: PausedRequest): boolean {
    this.#requests += 1;
    if (this.#requests === MAX_REQUESTS + 1) this.#fail(tooManyRequests());
    if (resourceType === 'Document' && frameId === this.#frameId) {
      this.#pageUrl = url.slice(0, MAX_NAME_CHARACTERS);
      return false;
    }
    const start = url.slice(0, MAX_NAME_CHARACTERS);
    const isAd = this.#filters.isAd(start, TYPES[resourceType] ?? 'other', this.#pageUrl);
    if (isAd && url === start && this.#blocked.size < MAX_HIDDEN) this.#blocked.add(url);
    return isAd;
  }

  /** Hides the advertisements in the page's own document, and the elements whose content was blocked. */
  async hideAds(open: Pick<OpenPage, 'evaluate'>): Promise<void> {
    const features = pageFeatures.parse(await open.evaluate(FEATURES));
    const styles = this.#filters.hidingStyles(this.#pageUrl, features);
    if (styles !== '') await addStyles(open, styles);
    if (this.#blocked.size > 0) await open.evaluate(hideElements([...this.#blocked]));
  }
}

/**
 * Blocks advertisements; returns undefined if the request does not ask for that. HTML in the request counts as a page
 * at its base URL, if it has one.
 */
export async function blockAds(
  { requests, document: { frameId } }: BlankPage,
  { blockAds: isRequested, url, baseUrl }: LocatedRequest,
  adFilters: () => Promise<AdFilters>,
  fail: (error: Error) => void,
): Promise<AdBlocker | undefined> {
  if (isRequested !== true) return undefined;
  const ads = new AdBlocker(await adFilters(), frameId, baseUrl ?? url, fail);
  await requests.block([{ urlPattern: '*' }], (pausedRequest) => ads.isBlocked(pausedRequest));
  return ads;
}
