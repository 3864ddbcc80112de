import type { Pages } from '../pages.js';
import { addNewProject } from './new-project.js';
import { addOverviewPage } from './overview-page.js';

/** Adds the overview and what is made from it. */
export function addOverviewPages(pages: Pages): void {
  addOverviewPage(pages);
  addNewProject(pages);
}
