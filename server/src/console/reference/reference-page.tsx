import { operations } from '@signpost/contract';
import type { Pages } from '../pages.js';
import { Reference } from './reference.js';

/** GET /reference: both interfaces, for everybody; where scripts run, to be tried at once. */
export function addReferencePage(pages: Pages): void {
  const { publicUrl, defaultLimits } = pages.parts;
  pages.open('GET', '/reference', (visit) =>
    visit.page(
      { title: 'API reference' },
      <Reference operations={operations} publicUrl={publicUrl()} limits={defaultLimits} />,
    ),
  );
}
