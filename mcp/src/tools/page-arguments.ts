import { captureScreenshotRequest } from '@signpost/contract';

const { waitForSelector, waitMs, blockCookieBanners, blockAds } = captureScreenshotRequest.shape;

/** The page options that are useful to a model, for all captures. */
export const pageArguments = {
  waitForSelector: waitForSelector.describe('A CSS selector: wait until it is visible.'),
  waitMs: waitMs.describe('Milliseconds to wait after that.'),
  blockCookieBanners: blockCookieBanners.describe('Refuse and close cookie banners.'),
  blockAds: blockAds.describe('Leave out advertisements.'),
};
