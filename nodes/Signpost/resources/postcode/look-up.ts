import { type IDataObject, type INodeProperties, NodeApiError } from 'n8n-workflow';
import type { Operation, OperationCall } from '../../../shared/operation';
import { requestBody } from '../../../shared/request-body';
import { objectsOf, sendJson } from '../../../shared/send-json';
import { postcodeField } from './postcode-field';
import { shownRecord, simplifyParameter } from './record';
import { resultFieldOption, resultItem } from './results';

const fields = [postcodeField];
const PATH = '/api/postcode/lookup';

const notFoundOption: INodeProperties = {
  displayName: 'If Not Found',
  name: 'ifNotFound',
  type: 'options',
  options: [
    { name: 'Return Found: False', value: 'item', description: 'The item goes on with "found": false' },
    { name: 'Stop With an Error', value: 'error', description: 'The item fails' },
  ],
  default: 'error',
  description: 'What becomes of an item whose postcode is not in the directory',
};

const isNotFound = (error: unknown) => error instanceof NodeApiError && error.httpCode === '404';

/** The record, or where the user wants it so, what stands for one that there is not. */
function find(call: OperationCall, body: IDataObject): Promise<IDataObject> {
  const isFoundShown = call.options.ifNotFound === 'item';
  return sendJson(call, { method: 'POST', path: PATH, body }).then(
    ({ result }) => {
      const [record = {}] = objectsOf([result]);
      return { ...shownRecord(call, record), ...(isFoundShown ? { found: true } : {}) };
    },
    (error: unknown) => {
      if (isFoundShown && isNotFound(error)) return { postcode: body.postcode, found: false };
      throw error;
    },
  );
}

export const lookUp: Operation = {
  value: 'lookUp',
  name: 'Look Up',
  action: 'Look up a postcode',
  description: 'Get the coordinates, areas and status of one postcode',
  method: 'POST',
  path: PATH,
  fields,
  ownParameters: [simplifyParameter],
  ownOptions: [notFoundOption, resultFieldOption],
  concurrency: 10,
  run: async (call) => [resultItem(call, await find(call, requestBody(call, fields)))],
};
