const PAGE_SIZE = 50;

/** Which part of a long list is shown. */
export interface Paging {
  /** From 1 on. */
  readonly page: number;
  readonly offset: number;
  readonly limit: number;
}

/** The page that a query asks for; what is no page number is the first page. */
export function readPaging(text: string): Paging {
  const page = /^[1-9]\d{0,5}$/u.test(text) ? Number(text) : 1;
  return { page, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
}

/** How many pages a list takes; an empty one takes one too. */
export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

/** The numbers, from 1 on, of the first and last of the list that the page shows. */
export const shownRange = ({ offset, limit }: Paging, total: number) => ({
  first: Math.min(offset + 1, total),
  last: Math.min(offset + limit, total),
});
