import type { Operation, OperationCall, RequestField } from '../../../shared/operation';
import { requestBody } from '../../../shared/request-body';
import { sendJson } from '../../../shared/send-json';
import { resultOptions, resultItem, splitParameter, wantsOneItemPerResult } from './results';

const PATH = '/api/postcode/autocomplete';

const fields: readonly RequestField[] = [
  {
    field: 'partial',
    keepsLastSpace: true,
    parameter: {
      displayName: 'Partial Postcode',
      name: 'partial',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. SW1A 1',
      description:
        'The beginning of a postcode, at least 2 characters, in any case. A space ends an outcode: "M11 " is never M1 1AA.',
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

async function run(call: OperationCall) {
  const { postcodes } = await sendJson(call, { method: 'POST', path: PATH, body: requestBody(call, fields) });
  const found = Array.isArray(postcodes) ? postcodes.map(String) : [];
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { postcodes: found })];
  return found.map((postcode) => resultItem(call, { postcode }));
}

export const autocomplete: Operation = {
  value: 'autocomplete',
  name: 'Autocomplete',
  action: 'Autocomplete a postcode',
  description: 'Get the active postcodes that begin with what was typed',
  method: 'POST',
  path: PATH,
  fields,
  ownParameters: [splitParameter('postcode')],
  ownOptions: resultOptions,
  concurrency: 10,
  run,
};
