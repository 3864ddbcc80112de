import { formatCount } from './formatting.js';

/** The part of a long list that is shown. */
export interface Paging {
  /** The number of the page; the first is 1. */
  readonly page: number;
  readonly offset: number;
  /** The maximum number of items on a page. */
  readonly limit: number;
}

const pagingTo = (page: number, limit: number): Paging => ({ page, offset: (page - 1) * limit, limit });

/** The page that a query asks for; the first page if the text is not a page number. */
export const readPaging = (text: string, limit: number): Paging =>
  pagingTo(/^[1-9]\d{0,5}$/u.test(text) ? Number(text) : 1, limit);

/** The page that shows the item at a 0-based position. */
export const pagingAt = (position: number, limit: number): Paging =>
  pagingTo(Math.floor(position / limit) + 1, limit);

/** The number of pages of a list; an empty list has one. */
export const pageCount = (total: number, { limit }: Pick<Paging, 'limit'>): number =>
  Math.max(1, Math.ceil(total / limit));

/** The 1-based numbers of the first and last item on the page. */
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
