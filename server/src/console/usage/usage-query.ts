import { type ApiKeyOperationId, isApiKeyOperationId, operations } from '@signpost/contract';
import type { Sort } from '../../platform/sort.js';
import { DAY_MS } from '../../platform/time-units.js';
import { parseDayRange, type DayRange, isPeriod, type Period } from '../../usage/periods.js';
import { COUNT_SORTS, TOP_PER_PAGE } from '../../usage/read-top.js';
import { formFields } from '../layout/form-data.js';
import { readSort, sortText, withQuery } from '../layout/list.js';
import { readPaging } from '../layout/paging.js';

/** The query of a usage page. Fields other than `period` are empty if they are not set. */
export interface UsageQuery {
  readonly period: Period;
  /** The first of the chosen days, which replace the period; empty if no days are chosen. */
  readonly from: string;
  readonly to: string;
  readonly account: string;
  readonly project: string;
  readonly key: string;
  readonly operation: string;
  /** The order of the keys and accounts; empty for the default. */
  readonly sort: string;
  /** The number of the page in the table of keys; empty for the first page. */
  readonly keys: string;
  readonly accounts: string;
}

const FIELDS = [
  ...(['period', 'from', 'to', 'account', 'project', 'key', 'operation'] as const),
  ...(['sort', 'keys', 'accounts'] as const),
] as const;

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * Reads the query from an address. Ignores a period, key number or operation that is not valid, and the days if neither
 * is a date.
 */
export function readUsageQuery(query: unknown, nowMs: number): UsageQuery {
  const { period, from, to, key, operation, ...fields } = formFields(query, FIELDS);
  const days = parseDayRange(from, to, nowMs);
  return {
    ...fields,
    from: days === undefined ? '' : dayText(days.first),
    to: days === undefined ? '' : dayText(days.last),
    period: isPeriod(period) ? period : 'day',
    key: isKeyId(key) ? key : '',
    operation: isApiKeyOperationId(operation) ? operation : '',
  };
}

export const isKeyId = (text: string): boolean => /^[1-9]\d{0,8}$/u.test(text);

/** The address of a usage page, without empty fields and the default period. */
export const usagePath = (path: string, { period = 'day', ...filters }: Partial<UsageQuery>): string =>
  withQuery(path, { period: period === 'day' ? '' : period, ...filters });

/** The time to show: the chosen days or, if there are none, the period. */
export const chosenPeriod = ({ from, to, period }: UsageQuery, nowMs: number): Period | DayRange =>
  parseDayRange(from, to, nowMs) ?? period;

/**
 * The chosen page of a table, and a function that returns the address of a page. `name` is the parameter with the page
 * number.
 */
function tablePages(path: string, query: UsageQuery, name: 'keys' | 'accounts') {
  const pathOf = (page: number) => usagePath(path, { ...query, [name]: page === 1 ? '' : String(page) });
  return { paging: readPaging(query[name], TOP_PER_PAGE), pathOf };
}

/**
 * What the query says about the tables of keys and accounts: the page of each, the order of both, and functions that
 * return the addresses of other pages and orders.
 */
export function topLists(path: string, query: UsageQuery) {
  const sort = readSort(query.sort, COUNT_SORTS);
  const [keys, accounts] = [tablePages(path, query, 'keys'), tablePages(path, query, 'accounts')] as const;
  return {
    keys,
    accounts,
    pages: { sort, keysOffset: keys.paging.offset, accountsOffset: accounts.paging.offset },
    sorting: {
      sort,
      sortedPath: (other: Sort) =>
        usagePath(path, { ...query, sort: sortText(other), keys: '', accounts: '' }),
    },
  };
}

/** The identifiers and titles of interface A's operations, in the order of the contract. */
export const OPERATIONS: readonly { readonly id: ApiKeyOperationId; readonly title: string }[] =
  Object.entries(operations).flatMap(([id, { title }]) => (isApiKeyOperationId(id) ? [{ id, title }] : []));

export const operationTitle = (id: string): string =>
  OPERATIONS.find((operation) => operation.id === id)?.title ?? id;
