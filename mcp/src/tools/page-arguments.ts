import { captureScreenshotRequest } from '@signpost/contract';

const { waitForSelector, waitMs, blockCookieBanners, blockAds } = captureScreenshotRequest.shape;

/** What of the options of a page a model needs, whatever is made of the page. */
export const pageArguments = {
  waitForSelector: waitForSelector.describe('A CSS selector: wait until it is visible.'),
  waitMs: waitMs.describe('Milliseconds to wait after that.'),
  blockCookieBanners: blockCookieBanners.describe('Refuse and close cookie banners.'),
  blockAds: blockAds.describe('Leave out advertisements.'),
};
