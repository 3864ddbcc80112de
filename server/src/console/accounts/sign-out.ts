import type { Pages } from '../pages.js';

/** POST /signout: ends the session here and in the database. */
export function addSignOut(pages: Pages): void {
  pages.open('POST', '/signout', async (visit) => {
    await pages.sessionCookie.end(visit.request, visit.reply);
    return visit.redirect('/');
  });
}
