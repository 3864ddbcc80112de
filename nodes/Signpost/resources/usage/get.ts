import type { INodeProperties } from 'n8n-workflow';
import type { Operation, OperationCall } from '../../../shared/operation';
import { objectsOf, sendJson } from '../../../shared/send-json';

const PATH = '/api/usage';

const oneItemPerDay: INodeProperties = {
  displayName: 'Return One Item per Day',
  name: 'oneItemPerDay',
  type: 'boolean',
  default: false,
  description:
    'Whether to return the requests of each of the last 30 days as an item instead of all the statistics',
};

async function run(call: OperationCall) {
  const statistics = await sendJson(call, { method: 'GET', path: PATH });
  const isPerDay = call.context.getNodeParameter('oneItemPerDay', call.itemIndex, false) === true;
  const results = isPerDay ? objectsOf(statistics.dailyUsage) : [statistics];
  return results.map((json) => ({ json, pairedItem: { item: call.itemIndex } }));
}

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get the usage of the API key',
  description: 'Get how much the API key has been used, in total, today, this minute and by day',
  method: 'GET',
  path: PATH,
  fields: [],
  ownParameters: [oneItemPerDay],
  concurrency: 1,
  run,
};
