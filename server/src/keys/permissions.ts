import type { Operation } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';

/** The parts of the API that a key may be restricted to. */
export const PERMISSIONS = ['captures', 'postcodes', 'usage'] as const;
type Permission = (typeof PERMISSIONS)[number];

const NEEDED: Readonly<Partial<Record<Operation['tag'], Permission>>> = {
  Capture: 'captures',
  Postcode: 'postcodes',
  Usage: 'usage',
};

/** The permissions of a key as stored, with commas between them; null for all. */
export type StoredPermissions = string | null;

/**
 * Converts names separated by commas or spaces to permissions: null if all are named. Throws a ServiceError if a name
 * is unknown, or if there is no name.
 */
export function parsePermissions(text: string): StoredPermissions {
  const names = text.split(/[\s,]+/u).filter((name) => name !== '');
  const known = PERMISSIONS.filter((name) => names.includes(name));
  if (known.length === 0 || known.length < new Set(names).size)
    throw new ServiceError(
      'invalidRequest',
      `A key may do at least one of ${PERMISSIONS.join(', ')}, and nothing else.`,
    );
  return known.length === PERMISSIONS.length ? null : known.join(',');
}

/** The permissions in words, such as "captures and usage only"; undefined if a key may do everything. */
export const permissionWords = (permissions: StoredPermissions): string | undefined =>
  permissions === null ? undefined : `${permissions.split(',').join(' and ')} only`;

/** Why a key may not call an operation with this tag; undefined if it may. */
export function permissionProblem(
  permissions: StoredPermissions | undefined,
  tag: Operation['tag'],
): ServiceError | undefined {
  const needed = NEEDED[tag];
  if (permissions === undefined || permissions === null || needed === undefined) return undefined;
  if (permissions.split(',').includes(needed)) return undefined;
  return new ServiceError(
    'forbidden',
    `This key is for ${permissionWords(permissions) ?? ''}. Its owner can make another key that may also use ${needed}.`,
  );
}
