import { contractResources } from '../shared/contract-operations';
import type { Resource } from '../shared/operation';
import { send } from './send-call';
import { getStatus, refresh } from './token-operations';

/** The resources and operations of the node Signpost Referral. */
export const resources: readonly Resource[] = [
  { name: 'Call', value: 'call', operations: [send] },
  ...contractResources('B', { getTokenStatus: getStatus }).map((resource) =>
    resource.name === 'Token' ? { ...resource, operations: [...resource.operations, refresh] } : resource,
  ),
];
