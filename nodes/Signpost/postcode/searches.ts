import { type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { fieldsOfChoice, withChoice } from './choices';
import { shownRecord, simplifyParameter, splitParameter, wantsOneItemPerResult } from './output-parameters';

const nearestOffer = contractOperation('findNearestPostcodes');

/** Workflows that were saved before this choice existed start from a point. */
const startParameter: INodeProperties = {
  displayName: 'Start From',
  name: 'startFrom',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Coordinates', value: 'point' },
    { name: 'Postcode', value: 'postcode' },
  ],
  default: 'point',
  description: 'Where to search around',
};

const STARTS = { latitude: 'point', longitude: 'point', postcode: 'postcode' };

const nearestFields = withChoice(nearestOffer.fields, 'startFrom', STARTS);

/**
 * The body of a search around a point or postcode. If neither coordinate was set, both are 0, far from any postcode.
 */
function nearestBody(call: OperationCall) {
  const body = requestBody(call, fieldsOfChoice(call, nearestFields, startParameter, STARTS));
  if (body.latitude !== 0 || body.longitude !== 0) return body;
  throw new NodeOperationError(call.context.getNode(), 'Latitude and Longitude are not set', {
    itemIndex: call.itemIndex,
    description:
      'Both are 0, which is a point in the Atlantic. Enter the coordinates, or expressions for them, such as {{ $json.latitude }}, or start from a postcode.',
  });
}

async function findNearest(call: OperationCall) {
  const answer = await sendJson(call, nearestOffer, { body: nearestBody(call) });
  const records = objectsOf(answer.results).map((record) => shownRecord(call, record));
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { ...answer, results: records })];
  return records.map((record) => resultItem(call, record));
}

export const findNearestPostcodes: Operation = {
  ...nearestOffer,
  fields: nearestFields,
  leadingParameters: [startParameter],
  ownParameters: [splitParameter, simplifyParameter],
  run: findNearest,
};

const autocompleteOffer = contractOperation('autocompletePostcode');

async function autocomplete(call: OperationCall) {
  const { postcodes } = await sendJson(call, autocompleteOffer, {
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
