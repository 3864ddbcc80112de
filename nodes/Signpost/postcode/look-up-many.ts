import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import type { Operation, OperationCall, RequestField } from '../../shared/operation';
import { emptyParameter } from '../../shared/json-request';
import { findRecords, MAX_POSTCODES, notFound, notFoundReason } from './find-records';
import {
  partsOf,
  shownRecord,
  simplifyParameter,
  splitParameter,
  wantsOneItemPerResult,
  withParts,
} from './output-parameters';
import { resultItem } from '../../shared/results';
import { textOf } from '../../shared/values';

const GATHERING = 'items';
const SINCE_KEEPING = { '@version': [{ _cnd: { gte: 1.1 } }] };

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
      value: GATHERING,
      description:
        'One postcode from each incoming item, collected into few requests. Each item gets its own record.',
    },
  ],
  default: GATHERING,
  description: 'Where the postcodes are',
};

/** As a tool of an agent, the node has no input items. Then the list is the default, and the model writes it. */
const sourceParameters: readonly INodeProperties[] = [
  { ...sourceParameter, displayOptions: { show: { '@version': [1] } } },
  { ...sourceParameter, displayOptions: { show: SINCE_KEEPING, hide: { '@tool': [true] } } },
  {
    ...sourceParameter,
    default: 'list',
    displayOptions: { show: { ...SINCE_KEEPING, '@tool': [true] } },
  },
];

const ofEachItem: INodeProperties = {
  displayName: 'Postcode',
  name: 'postcodeOfItem',
  type: 'string',
  default: '={{ $json.postcode }}',
  required: true,
  placeholder: 'e.g. {{ $json.postcode }}',
  description:
    'The postcode of each item, as an expression. Up to 100 items share one request. An item without a postcode gets "found": false.',
  displayOptions: { show: { source: ['items'] } },
};

const listParameter: INodeProperties = {
  displayName: 'Postcodes',
  name: 'postcodes',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  required: true,
  placeholder: 'e.g. SW1A 1AA, EH99 1SP',
  description: 'The postcodes to look up, in the order in which the results are wanted',
};

const list: RequestField = {
  field: 'postcodes',
  parameter: {
    ...listParameter,
    hint: 'Separated by commas, semicolons or line breaks, or a list from an expression. More than 100 are sent in several requests.',
    displayOptions: { show: { source: ['list'] }, hide: { '@tool': [true] } },
  },
};

const listOfModel: INodeProperties = {
  ...listParameter,
  default: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Postcodes', 'UK postcodes, separated by commas', 'string') }}`,
  displayOptions: { show: { source: ['list'], '@tool': [true] } },
};

const postcodeText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function entriesOf(given: unknown): unknown[] {
  if (Array.isArray(given)) return given;
  if (notFoundReason(given) === 'blank') return [];
  return String(given)
    .split(/[,;\n]/u)
    .map(postcodeText);
}

/** The entries of a list, or of a text with separators, without blank ones. */
function listOf(call: OperationCall): unknown[] {
  const given: unknown = call.context.getNodeParameter('postcodes', call.itemIndex, '');
  const asked = entriesOf(given).filter((entry) => notFoundReason(entry) !== 'blank');
  if (asked.length === 0) throw emptyParameter(call, listParameter.displayName);
  return asked;
}

const foundRecord = (call: OperationCall, asked: unknown, record: IDataObject | undefined): IDataObject =>
  record === undefined
    ? notFound(asked)
    : { ...shownRecord(call, withParts(record, partsOf(call.options))), found: true };

/** The service's result for an entry that it does not find. */
const missingEntry = (postcode: unknown, index: number): IDataObject => ({
  index,
  postcode: textOf(postcode) ?? '',
  reason: notFoundReason(postcode),
});

async function ofList(call: OperationCall) {
  const asked = listOf(call);
  const recordOf = await findRecords(call, asked, partsOf(call.options));
  if (wantsOneItemPerResult(call))
    return asked.map((postcode) => resultItem(call, foundRecord(call, postcode, recordOf(postcode))));
  const results: IDataObject[] = [];
  const missing: IDataObject[] = [];
  for (const [index, postcode] of asked.entries()) {
    const record = recordOf(postcode);
    if (record === undefined) missing.push(missingEntry(postcode, index));
    else results.push({ ...shownRecord(call, record), index });
  }
  return [resultItem(call, { results, found: results.length, notFound: missing.length, missing })];
}

interface Reading {
  readonly call: OperationCall;
  readonly asked: unknown;
  readonly options: IDataObject;
}

/**
 * Reads everything that a joint request needs from one item, so that an expression that throws fails only its own
 * item.
 */
const readItem = async (call: OperationCall): Promise<Reading> =>
  await Promise.resolve(call).then(({ context, itemIndex, options }) => ({
    call,
    asked: context.getNodeParameter('postcodeOfItem', itemIndex, ''),
    options,
  }));

/** Hints at a wrong field name if all items are blank. A single blank item may be fine. */
function hintIfAllBlank(read: readonly Reading[]): void {
  if (!read.every(({ asked }) => notFoundReason(asked) === 'blank')) return;
  read[0]?.call.context.addExecutionHints({
    type: 'warning',
    location: 'outputPane',
    message: `No item has a postcode: "${ofEachItem.displayName}" is empty for all of them. Drag the field that holds it there.`,
  });
}

async function recordsOfItems(readings: readonly Promise<Reading>[]) {
  const settled = await Promise.allSettled(readings);
  const read = settled.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
  hintIfAllBlank(read);
  const [first] = read;
  return first === undefined
    ? () => undefined
    : await findRecords(
        first.call,
        read.map(({ asked }) => asked),
        [...new Set(read.flatMap(({ options }) => partsOf(options)))],
      );
}

function ofItems(calls: readonly OperationCall[]): Promise<INodeExecutionData[]>[] {
  const readings = calls.map(readItem);
  const records = recordsOfItems(readings);
  return readings.map(async (reading) => {
    const { call, asked } = await reading;
    const recordOf = await records;
    return [resultItem(call, foundRecord(call, asked, recordOf(asked)))];
  });
}

const isGathering = (context: IExecuteFunctions) =>
  context.getNodeParameter('source', 0, GATHERING) === GATHERING;

const offered = contractOperation('lookupPostcodes');

export const lookupPostcodes: Operation = {
  ...offered,
  fields: [list, ...offered.fields.filter(({ isOption }) => isOption === true)],
  leadingParameters: [...sourceParameters, ofEachItem, listOfModel],
  ownParameters: [{ ...splitParameter, displayOptions: { show: { source: ['list'] } } }, simplifyParameter],
  concurrency: 4,
  run: ofList,
  together: { isWanted: isGathering, size: MAX_POSTCODES, run: ofItems },
};
