import { pageCount, shownRange, type Paging } from '../paging.js';
import { accountsPath } from './account-paths.js';

interface PageLinksProps {
  readonly paging: Paging;
  readonly total: number;
  readonly search: string;
}

/** Which accounts of how many are shown, and the ways to those before and after. */
export function PageLinks({ paging, total, search }: PageLinksProps) {
  const { page } = paging;
  const { first, last } = shownRange(paging, total);
  return (
    <nav class="operator-pages" aria-label="Pages of the list">
      <p class="muted">
        {first.toLocaleString('en-GB')} to {last.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')}
      </p>
      {page > 1 ? (
        <a class="button small" href={accountsPath(search, page - 1)} rel="prev">
          Previous
        </a>
      ) : null}
      {page < pageCount(total) ? (
        <a class="button small" href={accountsPath(search, page + 1)} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  );
}
