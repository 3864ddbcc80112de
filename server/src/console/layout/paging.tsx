import { formatCount } from './formatting.js';

export interface Paging {
  /** The number of the page; the first is 1. */
  readonly page: number;
  readonly offset: number;
  /** The maximum number of items on a page. */
  readonly limit: number;
}

/** The page with the number in the text; the first page if the text is not a number from 1 to 999,999. */
export function readPaging(text: string, limit: number): Paging {
  const page = /^[1-9]\d{0,5}$/u.test(text) ? Number(text) : 1;
  return { page, offset: (page - 1) * limit, limit };
}

/** The number of pages of a list; an empty list has one. */
export const pageCount = (total: number, { limit }: Pick<Paging, 'limit'>): number =>
  Math.max(1, Math.ceil(total / limit));

/** The 1-based numbers of the first and last item on the page; both 0 if the list is empty. */
export const shownRange = ({ offset, limit }: Paging, total: number) => ({
  first: Math.min(offset + 1, total),
  last: Math.min(offset + limit, total),
});

export interface PageLinksProps {
  readonly paging: Paging;
  readonly total: number;
  readonly pathOf: (page: number) => string;
}

/** The range of shown items, the total, and the links to the neighbouring pages. */
export function PageLinks({ paging, total, pathOf }: PageLinksProps) {
  const { page } = paging;
  const { first, last } = shownRange(paging, total);
  return (
    <nav class="list-pages" aria-label="Pages of the list">
      <p class="muted">
        {formatCount(first)} to {formatCount(last)} of {formatCount(total)}
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
