import { operations } from '@signpost/contract';
import type { ReadUsage } from '../usage/usage-statistics.js';
import { bindQuery } from './operation-handler.js';

export const usageOperations = (readUsage: ReadUsage) => ({
  getUsage: bindQuery(operations.getUsage, async ({ admission }) => ({
    value: await readUsage(admission),
  })),
});
