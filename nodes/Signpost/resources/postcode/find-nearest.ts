import { NodeOperationError } from 'n8n-workflow';
import type { Operation, OperationCall, RequestField } from '../../../shared/operation';
import { requestBody } from '../../../shared/request-body';
import { objectsOf, sendJson } from '../../../shared/send-json';
import { shownRecord, simplifyParameter } from './record';
import { resultOptions, resultItem, splitParameter, wantsOneItemPerResult } from './results';

const PATH = '/api/postcode/nearest';

const fields: readonly RequestField[] = [
  {
    field: 'latitude',
    parameter: {
      displayName: 'Latitude',
      name: 'latitude',
      type: 'number',
      typeOptions: { minValue: -90, maxValue: 90, numberPrecision: 7 },
      default: 0,
      required: true,
      placeholder: 'e.g. 51.501',
      description: 'Degrees north (WGS84), from -90 to 90',
    },
  },
  {
    field: 'longitude',
    parameter: {
      displayName: 'Longitude',
      name: 'longitude',
      type: 'number',
      typeOptions: { minValue: -180, maxValue: 180, numberPrecision: 7 },
      default: 0,
      required: true,
      placeholder: 'e.g. -0.1416',
      description: 'Degrees east (WGS84), from -180 to 180; west of Greenwich is negative',
    },
  },
  {
    field: 'radiusMetres',
    parameter: {
      displayName: 'Radius (Metres)',
      name: 'radiusMetres',
      type: 'number',
      typeOptions: { minValue: 100, maxValue: 20_000 },
      default: 2_000,
      description: 'How far from the point to look, from 100 to 20000 metres',
    },
  },
  {
    field: 'limit',
    parameter: {
      displayName: 'Max Results',
      name: 'maxResults',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
      default: 10,
      description: 'How many postcodes to return at most, from 1 to 100',
    },
  },
];

/** The point to look around. Where neither coordinate was set both are 0, far from any postcode. */
function pointOf(call: OperationCall) {
  const body = requestBody(call, fields);
  if (body.latitude !== 0 || body.longitude !== 0) return body;
  throw new NodeOperationError(call.context.getNode(), 'Latitude and Longitude are not set', {
    itemIndex: call.itemIndex,
    description:
      'Both are 0, a point in the Atlantic. Enter the coordinates, or expressions that yield them, such as {{ $json.latitude }}. Look Up finds those of a postcode.',
  });
}

async function run(call: OperationCall) {
  const { results } = await sendJson(call, { method: 'POST', path: PATH, body: pointOf(call) });
  const records = objectsOf(results).map((record) => shownRecord(call, record));
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { results: records })];
  return records.map((record) => resultItem(call, record));
}

export const findNearest: Operation = {
  value: 'findNearest',
  name: 'Find Nearest',
  action: 'Find the nearest postcodes',
  description: 'Get the active postcodes around a point, nearest first, each with its distance',
  method: 'POST',
  path: PATH,
  fields,
  ownParameters: [splitParameter('postcode'), simplifyParameter],
  ownOptions: resultOptions,
  concurrency: 10,
  run,
};
