import type { Operation } from '../../../shared/operation';
import { requestBody } from '../../../shared/request-body';
import { sendJson } from '../../../shared/send-json';
import { postcodeField } from './postcode-field';
import { resultOptions, resultItem } from './results';

const fields = [postcodeField];
const PATH = '/api/postcode/validate';

export const validate: Operation = {
  value: 'validate',
  name: 'Validate',
  action: 'Validate a postcode',
  description: 'Check whether a postcode exists, exactly as written but for case and spaces',
  method: 'POST',
  path: PATH,
  fields,
  ownOptions: resultOptions,
  concurrency: 10,
  run: async (call) => [
    resultItem(call, await sendJson(call, { method: 'POST', path: PATH, body: requestBody(call, fields) })),
  ],
};
