import type { Pages } from '../pages.js';
import { addRegeneratePage } from './regenerate-page.js';
import { addTokenLoginPage } from './token-login-page.js';
import { addTokenPage } from './token-page.js';

/** The pages about access and refresh tokens. */
export function addTokenPages(pages: Pages): void {
  addTokenPage(pages);
  addRegeneratePage(pages);
  addTokenLoginPage(pages);
}
