import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Operation, OperationCall, RequestField } from '../../../shared/operation';
import { BULK_PATH, findRecords, MOST_POSTCODES } from './find-records';
import { shownRecord, simplifyParameter } from './record';
import { resultFieldOption, resultItem, splitParameter, wantsOneItemPerResult } from './results';

const sourceParameter: INodeProperties = {
  displayName: 'Postcodes From',
  name: 'source',
  type: 'options',
  noDataExpression: true,
  options: [
    {
      name: 'A List',
      value: 'list',
      description: 'Many postcodes in one parameter, for each incoming item',
    },
    {
      name: 'All Input Items',
      value: 'items',
      description:
        'One postcode of each incoming item, gathered into few requests; each item gets its own record',
    },
  ],
  default: 'items',
  description: 'Where the postcodes are',
};

const ofEachItem: INodeProperties = {
  displayName: 'Postcode',
  name: 'postcodeOfItem',
  type: 'string',
  default: '={{ $json.postcode }}',
  required: true,
  placeholder: 'e.g. {{ $json.postcode }}',
  hint: 'Up to 100 items go into one request',
  description:
    'The postcode of each item, as an expression. An item without one goes on with "found": false.',
  displayOptions: { show: { source: ['items'] } },
};

const list: RequestField = {
  field: 'postcodes',
  parameter: {
    displayName: 'Postcodes',
    name: 'postcodes',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. SW1A 1AA, EH99 1SP',
    hint: 'Separated by commas, semicolons or line breaks, or a list from an expression. More than 100 are sent in several requests.',
    description: 'The postcodes to look up, in the order in which the results are wanted',
    displayOptions: { show: { source: ['list'] } },
  },
};

const postcodeText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const listOf = (value: unknown): string[] =>
  (Array.isArray(value)
    ? value.map(postcodeText)
    : postcodeText(value)
        .split(/[,;\n]/u)
        .map(postcodeText)
  ).filter((postcode) => postcode !== '');

const foundRecord = (call: OperationCall, postcode: string, record: IDataObject | undefined): IDataObject =>
  record === undefined ? { postcode, found: false } : { ...shownRecord(call, record), found: true };

async function ofList(call: OperationCall) {
  const asked = listOf(call.context.getNodeParameter('postcodes', call.itemIndex, ''));
  const recordOf = await findRecords(call, asked);
  if (wantsOneItemPerResult(call))
    return asked.map((postcode) => resultItem(call, foundRecord(call, postcode, recordOf(postcode))));
  const records = asked.map(recordOf).filter((record) => record !== undefined);
  const counts = { found: records.length, notFound: asked.length - records.length };
  return [resultItem(call, { results: records.map((record) => shownRecord(call, record)), ...counts })];
}

async function ofItems(calls: readonly OperationCall[]) {
  const [first] = calls;
  if (first === undefined) return [];
  const asked = calls.map(({ context, itemIndex }) =>
    postcodeText(context.getNodeParameter('postcodeOfItem', itemIndex, '')),
  );
  const recordOf = await findRecords(first, asked);
  return calls.map((call, at) => {
    const postcode = asked[at] ?? '';
    return [resultItem(call, foundRecord(call, postcode, recordOf(postcode)))];
  });
}

const isGathering = (context: IExecuteFunctions) =>
  context.getNodeParameter('source', 0, 'items') === 'items';

export const lookUpMany: Operation = {
  value: 'lookUpMany',
  name: 'Look Up Many',
  action: 'Look up many postcodes',
  description: 'Get the records of many postcodes with few requests, from a list or from all incoming items',
  method: 'POST',
  path: BULK_PATH,
  fields: [list],
  leadingParameters: [sourceParameter, ofEachItem],
  ownParameters: [
    { ...splitParameter('postcode'), displayOptions: { show: { source: ['list'] } } },
    simplifyParameter,
  ],
  ownOptions: [resultFieldOption],
  concurrency: 4,
  run: ofList,
  together: { isWanted: isGathering, size: MOST_POSTCODES, run: ofItems },
};
