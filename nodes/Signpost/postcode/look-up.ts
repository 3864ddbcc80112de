import { type IDataObject, type INodeProperties, NodeApiError } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import type { Operation, OperationCall } from '../../shared/operation';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import { isNotInDirectory, rejectionStatus } from '../../shared/request-error';
import { notFound, notFoundReason } from './find-records';
import { recordParameters, shownMissing, shownRecord } from './output-parameters';
import { resultOptions, resultItem } from '../../shared/results';

const offered = contractOperation('lookupPostcode');

const notFoundOption: INodeProperties = {
  displayName: 'If Not Found',
  name: 'ifNotFound',
  type: 'options',
  options: [
    {
      name: 'Return Found: False',
      value: 'item',
      description: 'The item continues with "found": false and a reason: blank, malformed or unknown',
    },
    { name: 'Stop With an Error', value: 'error', description: 'The item fails' },
  ],
  default: 'error',
  description: 'What to do with an item whose postcode is unknown, malformed or missing',
};

/** Whether an error means that the server does not know the postcode, or that the text cannot be one. */
const isNotFound = (error: unknown, entered: unknown): boolean =>
  isNotInDirectory(error) || (rejectionStatus(error) === 400 && notFoundReason(entered) === 'malformed');

async function find(call: OperationCall): Promise<IDataObject> {
  const body = requestBody(call, offered.fields);
  const { result } = await sendJson(call, offered, { body });
  const [record = {}] = objectsOf([result]);
  return shownRecord(call, record);
}

const GO_ON =
  'To go on without it, add the option If Not Found and choose Return Found: False, or use Look Up Many.';

/**
 * Returns the record, or throws the error of the request. If the error means that the postcode was not found, and it
 * stops the workflow, its description says how to go on without the record.
 */
async function findOrStop(call: OperationCall): Promise<IDataObject> {
  const entered: unknown = call.context.getNodeParameter('postcode', call.itemIndex, '');
  return await find(call).catch((error: unknown) => {
    const stops = !call.context.continueOnFail();
    if (stops && error instanceof NodeApiError && isNotFound(error, entered)) error.description = GO_ON;
    throw error;
  });
}

/**
 * Returns the record with `found: true`, or an object with `found: false` if the postcode is blank, malformed or
 * unknown. Throws other errors.
 */
async function findOrNot(call: OperationCall): Promise<IDataObject> {
  const entered: unknown = call.context.getNodeParameter('postcode', call.itemIndex, '');
  if (notFoundReason(entered) === 'blank') return shownMissing(call, notFound(entered));
  return await find(call).then(
    (record) => ({ ...record, found: true }),
    (error: unknown) => {
      if (isNotFound(error, entered)) return shownMissing(call, notFound(entered));
      throw error;
    },
  );
}

export const lookupPostcode: Operation = {
  ...offered,
  ownParameters: recordParameters,
  ownOptions: [notFoundOption, ...resultOptions],
  run: async (call) => [
    resultItem(call, call.options.ifNotFound === 'item' ? await findOrNot(call) : await findOrStop(call)),
  ],
};
