import type { Sort } from '../../platform/sort.js';
import { formFields } from './form-data.js';
import { pageCount, type Paging, readPaging } from './paging.js';

/** Adds a query to a path, with the fields that are not empty. */
export function withQuery(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** An order as it is written in an address: its name, after a "-" if it is descending. */
export const sortText = ({ by, isDescending }: Sort): string => (isDescending ? `-${by}` : by);

type Sorts<By extends string> = readonly [Sort<By>, ...Sort<By>[]];

/** The order that an address names, or the first one if the list does not have it. */
export function readSort<By extends string>(text: string, sorts: Sorts<By>): Sort<By> {
  const isDescending = text.startsWith('-');
  const found = sorts.find(({ by }) => by === (isDescending ? text.slice(1) : text));
  return found === undefined ? sorts[0] : { ...found, isDescending };
}

interface ListShape<By extends string, Filter extends string> {
  readonly path: string;
  /** The available orders. The first is the default. */
  readonly sorts: Sorts<By>;
  readonly filters: readonly Filter[];
  readonly perPage: number;
}

/** The order, filters and page of a list, as an address names them. */
export interface List<By extends string = string, Filter extends string = string> {
  readonly path: string;
  readonly sort: Sort<By>;
  readonly filters: Readonly<Record<Filter, string>>;
  readonly isFiltered: boolean;
  readonly paging: Paging;
  /** The order as the address names it; empty if the address names no order that the list has. */
  readonly sortText: string;
  readonly sortedPath: (sort: Sort) => string;
  readonly pagePath: (page: number) => string;
}

export function readList<By extends string, Filter extends string>(
  query: unknown,
  { path, sorts, filters: names, perPage }: ListShape<By, Filter>,
): List<By, Filter> {
  const { sort: sortName, page } = formFields(query, ['sort', 'page']);
  const values = formFields(query, names);
  const filters = formFields(Object.fromEntries(names.map((name) => [name, values[name].trim()])), names);
  const sort = readSort(sortName, sorts);
  const order = sort === sorts[0] ? '' : sortText(sort);
  const pathFor = (text: string, to: number) =>
    withQuery(path, { ...filters, sort: text, page: to === 1 ? '' : String(to) });
  return {
    path,
    sort,
    filters,
    sortText: order,
    isFiltered: names.some((name) => filters[name] !== ''),
    paging: readPaging(page, perPage),
    sortedPath: (other) => pathFor(sortText(other), 1),
    pagePath: (to) => pathFor(order, to),
  };
}

/** The path of the last page, if the requested page is past it; otherwise undefined. */
export function lastPagePath({ paging, pagePath }: List, total: number): string | undefined {
  const last = pageCount(total, paging);
  return paging.page > last ? pagePath(last) : undefined;
}
