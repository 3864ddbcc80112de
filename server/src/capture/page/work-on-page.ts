import type { PageRest } from '@signpost/contract';
import type { blockAds } from './block-ads.js';
import type { closeCookieBanners } from './cookie-banners.js';
import { onSameDocument } from './load-page.js';
import type { OpenPage } from './open-page.js';
import { isTooBusy } from './page-idle.js';
import type { PageRequest } from './page-request.js';
import { preparePage, waitAfter } from './prepare-page.js';
import { settle } from './settle.js';

/** The part of a capture's work that differs between kinds of captures. */
interface PageWork<Result extends object> {
  readonly reveal?: (open: OpenPage) => Promise<boolean>;
  readonly make: (open: OpenPage) => Promise<Result>;
}

/** The things that the work on a loaded page needs in addition to the page. */
interface WorkParts {
  readonly ads: Awaited<ReturnType<typeof blockAds>>;
  readonly banners: Awaited<ReturnType<typeof closeCookieBanners>>;
  /** Whether the page cannot be tried again, because another attempt would run its steps again. */
  readonly isLastTry: () => boolean;
}

/** Returns 'bounded' instead of 'reached' if the page was not revealed completely: such a page did not come to rest. */
const restOf = (pageRest: PageRest, isRevealed: boolean): PageRest =>
  pageRest === 'reached' && !isRevealed ? 'bounded' : pageRest;

/**
 * Returns a function that works on the loaded page and makes the result. It may be called again if the page navigates.
 */
export function workOnPage<Result extends object>(
  { reveal, make }: PageWork<Result>,
  request: PageRequest,
  page: OpenPage,
  { ads, banners, isLastTry }: WorkParts,
): () => Promise<Result & { readonly pageRest: PageRest }> {
  /** On how many documents the work has begun. `times` counts those on which it got as far as `waitAfter`. */
  let begun = 0;
  let times = 0;
  return async () => {
    if (isLastTry() && times === 0) page.isRestless = await isTooBusy(page);
    if (banners !== undefined) await page.yieldDuring(banners.untilClosed(page));
    await ads?.hideAds(page);
    await onSameDocument(page, () => preparePage(page, request, begun++));
    const isRevealed = await onSameDocument(page, async () => (await reveal?.(page)) !== false);
    await onSameDocument(page, () => waitAfter(page, request, times++));
    page.deadline.endWait();
    const { pageRest, canScrollNow } = await settle(page, request);
    if (!canScrollNow || reveal === undefined)
      return { ...(await make(page)), pageRest: restOf(pageRest, isRevealed) };
    const isRevealedAgain = await onSameDocument(page, () => reveal(page));
    const again = await settle(page, request);
    return { ...(await make(page)), pageRest: restOf(again.pageRest, isRevealedAgain) };
  };
}
