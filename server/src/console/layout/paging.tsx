import { formatCount } from './formatting.js';

/** Which part of a long list is shown. */
export interface Paging {
  /** From 1 on. */
  readonly page: number;
  readonly offset: number;
  /** How many a page shows at most. */
  readonly limit: number;
}

const pagingTo = (page: number, limit: number): Paging => ({ page, offset: (page - 1) * limit, limit });

/** The page that a query asks for; what is no page number is the first page. */
export const readPaging = (text: string, limit: number): Paging =>
  pagingTo(/^[1-9]\d{0,5}$/u.test(text) ? Number(text) : 1, limit);

/** The page that shows what is at a position of the list, from 0 on. */
export const pagingAt = (position: number, limit: number): Paging =>
  pagingTo(Math.floor(position / limit) + 1, limit);

/** How many pages a list takes; an empty one takes one too. */
export const pageCount = (total: number, { limit }: Pick<Paging, 'limit'>): number =>
  Math.max(1, Math.ceil(total / limit));

/** The numbers, from 1 on, of the first and last of the list that the page shows. */
export const shownRange = ({ offset, limit }: Paging, total: number) => ({
  first: Math.min(offset + 1, total),
  last: Math.min(offset + limit, total),
});

export interface PageLinksProps {
  readonly paging: Paging;
  readonly total: number;
  readonly pathOf: (page: number) => string;
}

/** Which of how many are shown, and the ways to those before and after. */
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
