import type { Pages } from '../pages.js';
import { addKeyPage } from './key-page.js';
import { addNewKey } from './new-key.js';
import { addRevokeOwnKeyPage } from './revoke-key-page.js';

/** Adds what people do with their own keys. */
export function addKeyPages(pages: Pages): void {
  addNewKey(pages);
  addKeyPage(pages);
  addRevokeOwnKeyPage(pages);
}
