import { pageCount, shownRange, type Paging } from './paging.js';

interface PageLinksProps {
  readonly paging: Paging;
  readonly total: number;
  readonly pathOf: (page: number) => string;
}

/** Which of how many are shown, and the ways to those before and after. */
export function PageLinks({ paging, total, pathOf }: PageLinksProps) {
  const { page } = paging;
  const { first, last } = shownRange(paging, total);
  return (
    <nav class="operator-pages" aria-label="Pages of the list">
      <p class="muted">
        {first.toLocaleString('en-GB')} to {last.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')}
      </p>
      {page > 1 ? (
        <a class="button small" href={pathOf(page - 1)} rel="prev">
          Previous
        </a>
      ) : null}
      {page < pageCount(total, paging) ? (
        <a class="button small" href={pathOf(page + 1)} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  );
}
