import type { Account } from '../accounts/account.js';
import { isoTime, shownTime } from './time.js';

/** An account as programs read it. */
export const accountJson = (account: Account) => ({
  email: account.email,
  name: account.name,
  isOperator: account.isOperator,
  hasApiAccess: account.hasApiAccess,
  mustChangePassword: account.mustChangePassword,
  captures: account.captures,
  createdAt: isoTime(account.createdAtMs),
  disabledAt: isoTime(account.disabledAtMs),
});

export const ACCOUNT_HEADINGS = [
  'EMAIL',
  'NAME',
  'OPERATOR',
  'API ACCESS',
  'CAPTURES',
  'CREATED',
  'DISABLED',
];

/** An account as a row under the headings. */
export const accountCells = (account: Account): string[] => [
  account.email,
  account.name ?? '-',
  account.isOperator ? 'yes' : 'no',
  account.hasApiAccess ? 'on' : 'off',
  String(account.captures),
  shownTime(account.createdAtMs),
  shownTime(account.disabledAtMs),
];
