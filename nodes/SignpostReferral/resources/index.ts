import type { Resource } from '../../shared/operation';
import { send } from './call/send';
import { getStatus } from './token/get-status';
import { refresh } from './token/refresh';

/** What the node Signpost Referral offers. */
export const resources: readonly Resource[] = [
  { name: 'Call', value: 'call', operations: [send] },
  { name: 'Token', value: 'token', operations: [getStatus, refresh] },
];
