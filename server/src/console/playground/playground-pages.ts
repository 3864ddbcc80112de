import type { Pages } from '../pages.js';
import { answerCapture } from './answer-capture.js';
import { answerPostcode } from './answer-postcode.js';
import { listLiveKeys } from '../../keys/find-keys.js';
import { showPlayground } from './show-playground.js';

/** GET /playground, and what its two forms are sent to. */
export function addPlaygroundPages(pages: Pages): void {
  const { parts } = pages;

  pages.signedIn('GET', '/playground', async (visit) =>
    showPlayground(visit, {
      keys: await listLiveKeys(parts.db, visit.visitor.account.id),
      directory: parts.directories.current().info,
    }),
  );

  pages.signedIn('POST', '/playground/capture', (visit) => answerCapture(visit, parts));
  pages.signedIn('POST', '/playground/postcode', (visit) => answerPostcode(visit, parts));

  // Whoever comes to these by their address finds the forms.
  for (const path of ['/playground/capture', '/playground/postcode'])
    pages.signedIn('GET', path, (visit) => visit.redirect('/playground'));
}
