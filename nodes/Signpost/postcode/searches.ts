import { NodeOperationError } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { shownRecord, simplifyParameter, splitParameter, wantsOneItemPerResult } from './output-parameters';

const nearestOffer = contractOperation('findNearestPostcodes');

/** The point to look around. Where neither coordinate was set both are 0, far from any postcode. */
function pointOf(call: OperationCall) {
  const body = requestBody(call, nearestOffer.fields);
  if (body.latitude !== 0 || body.longitude !== 0) return body;
  throw new NodeOperationError(call.context.getNode(), 'Latitude and Longitude are not set', {
    itemIndex: call.itemIndex,
    description:
      'Both are 0, a point in the Atlantic. Enter the coordinates, or expressions that yield them, such as {{ $json.latitude }}. Look Up finds those of a postcode.',
  });
}

async function findNearest(call: OperationCall) {
  const { results } = await sendJson(call, { method: 'POST', path: nearestOffer.path, body: pointOf(call) });
  const records = objectsOf(results).map((record) => shownRecord(call, record));
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { results: records })];
  return records.map((record) => resultItem(call, record));
}

export const findNearestPostcodes: Operation = {
  ...nearestOffer,
  ownParameters: [splitParameter, simplifyParameter],
  run: findNearest,
};

const autocompleteOffer = contractOperation('autocompletePostcode');

async function autocomplete(call: OperationCall) {
  const { postcodes } = await sendJson(call, {
    method: 'POST',
    path: autocompleteOffer.path,
    body: requestBody(call, autocompleteOffer.fields),
  });
  const found = Array.isArray(postcodes) ? postcodes.map(String) : [];
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { postcodes: found })];
  return found.map((postcode) => resultItem(call, { postcode }));
}

export const autocompletePostcode: Operation = {
  ...autocompleteOffer,
  ownParameters: [splitParameter],
  run: autocomplete,
};
