import { operations, PROJECT_HEADER } from '@signpost/contract';
import type { ReadUsage } from '../usage/usage-statistics.js';
import { bindQuery } from './operation-handler.js';

/** Returns the name of a key's project; undefined if there is no such key, as in a process without API keys. */
export type ReadProjectName = (keyId: number) => Promise<string | undefined>;

export const usageOperations = (readUsage: ReadUsage, readProjectName: ReadProjectName) => ({
  getUsage: bindQuery(operations.getUsage, async ({ admission }) => {
    const [value, project] = await Promise.all([readUsage(admission), readProjectName(admission.keyId)]);
    return project === undefined
      ? { value }
      : { value, headers: { [PROJECT_HEADER]: encodeURIComponent(project) } };
  }),
});
