import {
  type IDataObject,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';
import { contractOperation, maxItemsOf } from '../../shared/contract-operations';
import { objectsOf, requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { numberOf } from '../../shared/values';
import { fieldsOfChoice, bindToChoice } from './choices';

/**
 * The choice between one text and a list of texts for each item. Workflows that were saved before this choice existed
 * search one text.
 */
const searchInParameter: INodeProperties = {
  displayName: 'Search In',
  name: 'searchIn',
  type: 'options',
  noDataExpression: true,
  options: [
    {
      name: 'One Text',
      value: 'text',
      description: 'One text of each incoming item. Up to 100 items share one request.',
    },
    { name: 'Several Texts', value: 'texts', description: 'Each result has the index of its text' },
  ],
  default: 'text',
  description: 'What to search',
};
const SEARCH_IN = { text: 'text', texts: 'texts' };

const offered = contractOperation('findPostcodesInText');
const fields = bindToChoice(offered.fields, 'searchIn', SEARCH_IN);

/** The maximum number of texts in one request. */
const MAX_TEXTS = maxItemsOf('findPostcodesInText', 'texts');
/** The maximum length of all texts of a request together. */
const MAX_CHARACTERS = 100_000;

/**
 * Divides texts into requests within the limits of the server, and returns the indexes of the texts of each request. A
 * text that is too long by itself gets its own request, so that no other text fails with it.
 */
function requestsFor(texts: readonly string[]): number[][] {
  const requests: number[][] = [];
  let characters = 0;
  for (const [index, { length }] of texts.entries()) {
    const last = requests.at(-1);
    const hasRoom = last !== undefined && last.length < MAX_TEXTS && characters + length <= MAX_CHARACTERS;
    characters = hasRoom ? characters + length : length;
    if (hasRoom) last.push(index);
    else requests.push([index]);
  }
  return requests;
}

/** Removes the index of the text in its request, which tells the user nothing about the item. */
const withoutIndex = (result: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'index'));

/** Finds the postcodes in any number of texts with few requests. Each promise is for one text, in order. */
export function findInTexts(call: OperationCall, texts: readonly string[]): Promise<IDataObject[]>[] {
  const found: Promise<IDataObject[]>[] = texts.map(() => Promise.resolve([]));
  const nonEmpty = [...texts.keys()].filter((index) => texts[index]?.trim() !== '');
  for (const request of requestsFor(nonEmpty.map((index) => texts[index] ?? ''))) {
    const indexes = request.map((position) => nonEmpty[position] ?? 0);
    const [first = 0] = indexes;
    const body =
      indexes.length === 1
        ? { text: texts[first] ?? '' }
        : { texts: indexes.map((index) => texts[index] ?? '') };
    const results = sendJson(call, offered, { body }).then((answer) => objectsOf(answer.results));
    for (const [position, index] of indexes.entries())
      found[index] = results.then((all) =>
        all.filter((result) => (numberOf(result.index) ?? 0) === position).map(withoutIndex),
      );
  }
  return found;
}

/** The text of an item; empty if there is none. Throws if the value is neither a text nor a number. */
export function textOfItem({ context, itemIndex }: OperationCall, { name, displayName }: INodeProperties) {
  const value: unknown = context.getNodeParameter(name, itemIndex, '') ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new NodeOperationError(context.getNode(), `${displayName} is not a text`, {
    itemIndex,
    description: `Enter a text, or an expression that gives one for this item.`,
  });
}

const findInSeveral = async (call: OperationCall): Promise<INodeExecutionData[]> => {
  const body = requestBody(call, fieldsOfChoice(call, fields, searchInParameter, SEARCH_IN));
  return [resultItem(call, await sendJson(call, offered, { body }))];
};

const textParameter = fields.find(({ field }) => field === 'text')?.parameter ?? searchInParameter;

interface ItemText {
  readonly call: OperationCall;
  readonly text: string;
}

const readItemText = async (call: OperationCall): Promise<ItemText> =>
  await Promise.resolve().then(() => ({ call, text: textOfItem(call, textParameter) }));

/** Resolves to a map from each text that could be read to a promise of the postcodes in it. */
async function postcodesOf(readings: readonly Promise<ItemText>[]) {
  const settled = await Promise.allSettled(readings);
  const all = settled.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
  const [first] = all;
  const found =
    first === undefined
      ? []
      : findInTexts(
          first.call,
          all.map(({ text }) => text),
        );
  return new Map(all.map((reading, index) => [reading, found[index]]));
}

function findInItems(calls: readonly OperationCall[]): Promise<INodeExecutionData[]>[] {
  const readings = calls.map(readItemText);
  const found = postcodesOf(readings);
  return readings.map(async (reading) => {
    const itemText = await reading;
    return [resultItem(itemText.call, { results: (await (await found).get(itemText)) ?? [] })];
  });
}

export const findPostcodesInText: Operation = {
  ...offered,
  fields,
  leadingParameters: [searchInParameter],
  run: findInSeveral,
  groupRun: {
    isWanted: (context) => context.getNodeParameter('searchIn', 0, 'text') === 'text',
    size: MAX_TEXTS,
    run: findInItems,
  },
};
