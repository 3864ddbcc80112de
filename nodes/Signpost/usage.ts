import type { INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../shared/contract-operations';
import type { Operation, OperationCall } from '../shared/operation';
import { objectsOf, sendJson } from '../shared/json-request';
import { resultItem } from '../shared/results';
import { booleanOf } from '../shared/values';

const oneItemPerDay: INodeProperties = {
  displayName: 'Return One Item per Day',
  name: 'oneItemPerDay',
  type: 'boolean',
  default: false,
  description:
    'Whether to return the requests of each of the last 30 days as an item instead of all the statistics',
};

const offered = contractOperation('getUsage');

async function run(call: OperationCall) {
  const statistics = await sendJson(call, offered);
  const isPerDay = booleanOf(call.context.getNodeParameter('oneItemPerDay', call.itemIndex, false)) === true;
  const results = isPerDay ? objectsOf(statistics.dailyUsage) : [statistics];
  return results.map((result) => resultItem(call, result));
}

export const getUsage: Operation = {
  ...offered,
  ownParameters: [oneItemPerDay],
  concurrency: 1,
  run,
};
