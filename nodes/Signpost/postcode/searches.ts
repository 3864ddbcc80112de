import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { numberOf } from '../../shared/values';
import { BEFORE_BESIDE, putsResultBesideInput, SINCE_BESIDE } from '../../shared/versions';
import { fieldsOfChoice, bindToChoice } from './choices';
import { maxLimitOf, wantsAll, withoutHiddenLimit, withReturnAll } from './return-all';
import { recordParameters, shownRecord, splitParameter, wantsOneItemPerResult } from './output-parameters';

const nearestOffer = contractOperation('findNearestPostcodes');

/**
 * The choice between a point and a postcode in older versions of the node. The default is a point, because workflows
 * that were saved before this choice existed start from one.
 */
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
  displayOptions: { show: BEFORE_BESIDE },
};
const startParameterSince: INodeProperties = {
  ...startParameter,
  default: 'postcode',
  displayOptions: { show: SINCE_BESIDE },
};

const STARTS = { latitude: 'point', longitude: 'point', postcode: 'postcode' };

const nearestFields = withReturnAll(bindToChoice(nearestOffer.fields, 'startFrom', STARTS), SINCE_BESIDE);
const MAX_NEAREST = maxLimitOf(nearestFields);

const startOf = ({ context }: OperationCall) =>
  putsResultBesideInput(context.getNode()) ? startParameterSince : startParameter;

/**
 * The body of a search around a point or a postcode. Throws if both coordinates are 0: that is their value if the user
 * entered none, and that point is far from any postcode.
 */
function nearestBody(call: OperationCall, isAll: boolean) {
  const requestFields = fieldsOfChoice(call, nearestFields, startOf(call), STARTS);
  const body = requestBody(call, withoutHiddenLimit(requestFields, isAll));
  if (body.latitude !== 0 || body.longitude !== 0) return body;
  throw new NodeOperationError(call.context.getNode(), 'Latitude and Longitude are not set', {
    itemIndex: call.itemIndex,
    description:
      'Both are 0, which is a point in the Atlantic. Enter the coordinates, or expressions for them, such as {{ $json.latitude }}, or start from a postcode.',
  });
}

/**
 * Requests all results from `body.offset` on, in several requests if necessary. Returns the last response with all
 * results.
 */
async function allNearest(call: OperationCall, body: IDataObject): Promise<IDataObject> {
  const first = numberOf(body.offset) ?? 0;
  const results: IDataObject[] = [];
  for (;;) {
    const page = { ...body, limit: MAX_NEAREST, offset: first + results.length };
    const answer = await sendJson(call, nearestOffer, { body: page });
    const found = objectsOf(answer.results);
    results.push(...found);
    if (found.length === 0 || first + results.length >= (numberOf(answer.total) ?? 0))
      return { ...answer, results };
  }
}

async function findNearest(call: OperationCall) {
  const isAll = putsResultBesideInput(call.context.getNode()) && wantsAll(call);
  const body = nearestBody(call, isAll);
  const answer = isAll ? await allNearest(call, body) : await sendJson(call, nearestOffer, { body });
  const records = objectsOf(answer.results).map((record) => shownRecord(call, record));
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { ...answer, results: records })];
  return records.map((record) => resultItem(call, record));
}

export const findNearestPostcodes: Operation = {
  ...nearestOffer,
  fields: nearestFields,
  leadingParameters: [startParameter, startParameterSince],
  ownParameters: [splitParameter, ...recordParameters],
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
