import { areaOperations } from './area-operations.js';
import { captureOperations } from './capture-operations.js';
import { contentOperations } from './content-operations.js';
import { distanceOperations } from './distance-operations.js';
import { linkOperations } from './link-operations.js';
import type { HeaderDescription, Operation } from './operation.js';
import { postcodeOperations } from './postcode-operations.js';
import { tokenOperations } from './token-operations.js';
import { usageOperations } from './usage-operations.js';

/** Headers of every response of an operation, including errors. */
export const ANSWER_HEADERS = {
  'Cache-Control': { type: 'string', description: 'Always no-store.' },
  'X-Request-Id': {
    type: 'string',
    description: "The identifier of the request in the server's log.",
  },
  'X-Content-Type-Options': { type: 'string', description: 'Always nosniff.' },
} as const satisfies Record<string, HeaderDescription>;

/**
 * Headers of the responses of interface A, including errors, if the request's key or its account has limits and the
 * server could read how much of them is used.
 */
export const RATE_LIMIT_HEADERS = {
  RateLimit: {
    type: 'string',
    description:
      'How many requests are left in each window, and in how many seconds it starts again. Missing if neither the key nor its account has a limit.',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'The limits of the key, and of its account if it has any, with the length of each window in seconds. Missing if there is none.',
  },
} as const satisfies Record<string, HeaderDescription>;

/** All operations of both interfaces, by id. */
export const operations = {
  ...captureOperations,
  ...contentOperations,
  ...linkOperations,
  ...postcodeOperations,
  ...areaOperations,
  ...distanceOperations,
  ...usageOperations,
  ...tokenOperations,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** The ids of the operations of interface A. */
export type ApiKeyOperationId = {
  [Id in OperationId]: Operations[Id]['interface'] extends 'A' ? Id : never;
}[OperationId];

export const isApiKeyOperationId = (id: string): id is ApiKeyOperationId => {
  const table: Readonly<Record<string, Operation>> = operations;
  return table[id]?.interface === 'A';
};
