import { type ApiKeyOperationId, isApiKeyOperationId, operations } from '@signpost/contract';
import { isPeriod, type Period } from '../../usage/periods.js';
import { formFields } from '../layout/form-data.js';

/** What a page of usage is asked for; empty where nothing is. */
export interface UsageQuery {
  readonly period: Period;
  readonly account: string;
  readonly project: string;
  readonly key: string;
  readonly operation: string;
}

const FIELDS = ['period', 'account', 'project', 'key', 'operation'] as const;

/** Reads it out of an address; what is none of those that there are is left out. */
export function readUsageQuery(query: unknown): UsageQuery {
  const { period, key, operation, ...fields } = formFields(query, FIELDS);
  return {
    ...fields,
    period: isPeriod(period) ? period : 'day',
    key: isKeyId(key) ? key : '',
    operation: isApiKeyOperationId(operation) ? operation : '',
  };
}

export const isKeyId = (text: string): boolean => /^[1-9]\d{0,8}$/u.test(text);

/** The address of a page of usage, with nothing in it that goes without saying. */
export function usagePath(path: string, { period, ...filters }: Partial<UsageQuery>): string {
  const query = new URLSearchParams();
  if (period !== undefined && period !== 'day') query.set('period', period);
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The operations of interface A by their titles, in the order of the interface. */
export const OPERATIONS: readonly { readonly id: ApiKeyOperationId; readonly title: string }[] =
  Object.entries(operations).flatMap(([id, { title }]) => (isApiKeyOperationId(id) ? [{ id, title }] : []));

export const operationTitle = (id: string): string =>
  OPERATIONS.find((operation) => operation.id === id)?.title ?? id;
