import { NodeOperationError } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import type { Operation, OperationCall } from '../../shared/operation';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import { shownRecord, simplifyParameter } from './record';
import { resultItem, splitParameter, wantsOneItemPerResult } from '../../shared/results';

const offered = contractOperation('findNearestPostcodes');

/** The point to look around. Where neither coordinate was set both are 0, far from any postcode. */
function pointOf(call: OperationCall) {
  const body = requestBody(call, offered.fields);
  if (body.latitude !== 0 || body.longitude !== 0) return body;
  throw new NodeOperationError(call.context.getNode(), 'Latitude and Longitude are not set', {
    itemIndex: call.itemIndex,
    description:
      'Both are 0, a point in the Atlantic. Enter the coordinates, or expressions that yield them, such as {{ $json.latitude }}. Look Up finds those of a postcode.',
  });
}

async function run(call: OperationCall) {
  const { results } = await sendJson(call, { method: 'POST', path: offered.path, body: pointOf(call) });
  const records = objectsOf(results).map((record) => shownRecord(call, record));
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { results: records })];
  return records.map((record) => resultItem(call, record));
}

export const findNearestPostcodes: Operation = {
  ...offered,
  ownParameters: [splitParameter('postcode'), simplifyParameter],
  run,
};
