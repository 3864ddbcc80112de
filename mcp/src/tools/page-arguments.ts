import { captureScreenshotRequest } from '@signpost/contract';

const { url, html, waitForSelector, waitMs, blockCookieBanners, blockAds } = captureScreenshotRequest.shape;

/** The page options that the tools for captures and for reading a page share. */
export const pageArguments = {
  waitForSelector: waitForSelector.describe('A CSS selector: wait until it is visible.'),
  waitMs: waitMs.describe('Milliseconds to wait after that.'),
  blockCookieBanners: blockCookieBanners.describe('Refuse and close cookie banners.'),
  blockAds: blockAds.describe('Leave out advertisements.'),
};

/** The page to capture: an address, or HTML. The server checks that there is exactly one of them. */
export const pageSourceArguments = {
  url: url.describe('The address of the page.'),
  html: html.describe('HTML to capture, in place of url.'),
};
