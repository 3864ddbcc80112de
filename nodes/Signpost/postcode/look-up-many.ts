import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import type { RequestField } from '../../shared/contract-fields';
import type { Operation, OperationCall } from '../../shared/operation';
import { emptyParameter } from '../../shared/json-request';
import { findInTexts, textOfItem } from './find-in-text';
import { findRecords, MAX_POSTCODES, notFound, notFoundReason, postcodeAtEnd } from './find-records';
import {
  partsOf,
  recordParameters,
  shownMissing,
  shownRecord,
  splitParameter,
  wantsOneItemPerResult,
  withParts,
} from './output-parameters';
import { resultItem } from '../../shared/results';
import { isObject, parseJson, property, textOf } from '../../shared/values';

const GATHERING = 'items';
const TEXT = 'text';
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
    {
      name: 'Text of All Input Items',
      value: TEXT,
      description:
        'The postcode is somewhere in a text of each incoming item, such as an address. Two requests are enough for 100 items.',
    },
  ],
  default: GATHERING,
  description: 'Where the postcodes are',
};

/**
 * As an agent's tool, the node has no input items. So in newer nodes that are tools, the list is the default, and the
 * model writes it.
 */
const sourceParameters: readonly INodeProperties[] = [
  { ...sourceParameter, displayOptions: { show: { '@version': [1] } } },
  { ...sourceParameter, displayOptions: { show: SINCE_KEEPING, hide: { '@tool': [true] } } },
  {
    ...sourceParameter,
    default: 'list',
    displayOptions: { show: { ...SINCE_KEEPING, '@tool': [true] } },
  },
];

const postcodeParameter: INodeProperties = {
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

const textParameter: INodeProperties = {
  displayName: 'Text',
  name: 'textOfItem',
  type: 'string',
  default: '={{ $json.address }}',
  required: true,
  placeholder: 'e.g. {{ $json.address }}',
  description:
    'The text that has the postcode of each item somewhere in it, as an expression. If it has several, the first one that is in use counts.',
  displayOptions: { show: { source: [TEXT] } },
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

/**
 * The postcode of an entry that is an object, such as an item of another node. Returns any other entry, and an object
 * without a postcode, unchanged.
 */
const postcodeOfEntry = (entry: unknown): unknown =>
  isObject(entry) ? (textOf(property(entry, 'postcode')) ?? entry) : entry;

function entriesOf(entered: unknown): unknown[] {
  const list = typeof entered === 'string' ? (parseJson(entered) ?? entered) : entered;
  if (Array.isArray(list)) return list.flat().map(postcodeOfEntry);
  if (notFoundReason(entered) === 'blank') return [];
  return String(entered)
    .split(/[,;\n]/u)
    .map((entry) => entry.trim());
}

/** The entries of a list, or of a text with separators, without blank ones. Throws if none is left. */
function listOf(call: OperationCall): unknown[] {
  const entered: unknown = call.context.getNodeParameter('postcodes', call.itemIndex, '');
  const entries = entriesOf(entered).filter((entry) => notFoundReason(entry) !== 'blank');
  if (entries.length === 0) throw emptyParameter(call, listParameter.displayName);
  return entries;
}

/** The output for a requested postcode: its record, or the reason for not having one. */
const foundRecord = (call: OperationCall, postcode: unknown, record: IDataObject | undefined): IDataObject =>
  record === undefined
    ? shownMissing(call, notFound(postcode))
    : { ...shownRecord(call, withParts(record, partsOf(call.options))), found: true };

/** The entry of the list `missing` for a postcode without a record, in the form in which the server returns it. */
const missingEntry = (postcode: unknown, index: number): IDataObject => ({
  index,
  postcode: textOf(postcode) ?? '',
  reason: notFoundReason(postcode),
});

async function lookUpList(call: OperationCall) {
  const postcodes = listOf(call);
  const recordOf = await findRecords(call, postcodes, partsOf(call.options));
  if (wantsOneItemPerResult(call))
    return postcodes.map((postcode) => resultItem(call, foundRecord(call, postcode, recordOf(postcode))));
  const results: IDataObject[] = [];
  const missing: IDataObject[] = [];
  for (const [index, postcode] of postcodes.entries()) {
    const record = recordOf(postcode);
    if (record === undefined) missing.push(missingEntry(postcode, index));
    else results.push({ ...shownRecord(call, record), index });
  }
  return [resultItem(call, { results, found: results.length, notFound: missing.length, missing })];
}

interface Reading {
  readonly call: OperationCall;
  readonly entry: unknown;
  readonly options: IDataObject;
}

/**
 * Reads everything that a shared request needs from one item, so that a failing expression fails only its own item.
 */
const readItem =
  (isText: boolean) =>
  async (call: OperationCall): Promise<Reading> =>
    await Promise.resolve(call).then(({ context, itemIndex, options }) => ({
      call,
      entry: isText
        ? textOfItem(call, textParameter)
        : context.getNodeParameter(postcodeParameter.name, itemIndex, ''),
      options,
    }));

/**
 * If the values of all items of a shared request are blank, adds a hint that the field may be the wrong one. If only
 * some are blank, that may be intended.
 */
function hintIfAllBlank(readings: readonly Reading[], isText: boolean): void {
  const [first] = readings;
  if (first === undefined || !readings.every(({ entry }) => notFoundReason(entry) === 'blank')) return;
  const { context } = first.call;
  const isWhole = readings.length === context.getInputData().length;
  const which = isWhole ? 'No item has a postcode' : `${readings.length} items in a row have no postcode`;
  context.addExecutionHints({
    type: 'warning',
    location: 'outputPane',
    message: `${which}: "${isText ? textParameter.displayName : postcodeParameter.displayName}" is empty for all of them. Drag the field that holds it there.`,
  });
}

/**
 * The postcode to look up for a text, in this order of preference: one that is in use, one that was in use, one with
 * typing errors at the end of the text, one that the directory does not have; undefined if there is none.
 */
function postcodeIn(text: string, found: readonly IDataObject[]): string | undefined {
  const best =
    found.find(({ isActive }) => isActive === true) ?? found.find(({ isValid }) => isValid === true);
  return textOf(best?.postcode) ?? postcodeAtEnd(text) ?? textOf(found[0]?.postcode);
}

/**
 * Resolves to a map from each item to the settled promise of its postcode. If the input is text, the server searches it
 * for the postcode first; the promise is rejected if this search fails.
 */
async function postcodesOf(readings: readonly Reading[], isText: boolean) {
  const [first] = readings;
  const texts = isText ? readings.map(({ entry }) => String(entry)) : [];
  const found = first === undefined ? [] : findInTexts(first.call, texts);
  const postcodes = await Promise.allSettled(
    readings.map(async ({ entry }, index) =>
      isText ? postcodeIn(String(entry), (await found[index]) ?? []) : entry,
    ),
  );
  return new Map(readings.map((reading, index) => [reading, postcodes[index]]));
}

const foundValue = (postcode: PromiseSettledResult<unknown> | undefined): unknown =>
  postcode?.status === 'fulfilled' ? postcode.value : undefined;

async function recordsOfItems(readings: readonly Promise<Reading>[], isText: boolean) {
  const settled = await Promise.allSettled(readings);
  const readable = settled.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
  hintIfAllBlank(readable, isText);
  const [first] = readable;
  const postcodes = await postcodesOf(readable, isText);
  const recordOf =
    first === undefined
      ? () => undefined
      : await findRecords(first.call, [...postcodes.values()].map(foundValue), [
          ...new Set(readable.flatMap(({ options }) => partsOf(options))),
        ]);
  return { postcodes, recordOf };
}

/** The output for a text without a record. Does not repeat the text itself. */
const notInText = ({ call, entry }: Reading, postcode: unknown): IDataObject =>
  shownMissing(
    call,
    postcode === undefined
      ? { postcode: '', found: false, reason: notFoundReason(entry) === 'blank' ? 'blank' : 'malformed' }
      : notFound(postcode),
  );

const lookUpItems =
  (isText: boolean) =>
  (calls: readonly OperationCall[]): Promise<INodeExecutionData[]>[] => {
    const readings = calls.map(readItem(isText));
    const records = recordsOfItems(readings, isText);
    return readings.map(async (reading) => {
      const item = await reading;
      const { postcodes, recordOf } = await records;
      const settled = postcodes.get(item);
      if (settled?.status === 'rejected') throw settled.reason;
      const postcode = foundValue(settled);
      const record = recordOf(postcode);
      const result =
        isText && record === undefined ? notInText(item, postcode) : foundRecord(item.call, postcode, record);
      return [resultItem(item.call, result)];
    });
  };

const sourceOf = (context: IExecuteFunctions) => context.getNodeParameter('source', 0, GATHERING);

const offered = contractOperation('lookupPostcodes');

export const lookupPostcodes: Operation = {
  ...offered,
  fields: [list, ...offered.fields.filter(({ isOption }) => isOption === true)],
  leadingParameters: [...sourceParameters, postcodeParameter, textParameter, listOfModel],
  ownParameters: [{ ...splitParameter, displayOptions: { show: { source: ['list'] } } }, ...recordParameters],
  concurrency: 4,
  run: lookUpList,
  groupRun: {
    isWanted: (context) => sourceOf(context) !== 'list',
    size: MAX_POSTCODES,
    run: (calls) => lookUpItems(calls[0] !== undefined && sourceOf(calls[0].context) === TEXT)(calls),
  },
};
