import type { INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../../shared/contract-operations';
import { requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { fieldsOfChoice, withChoice } from './choices';

/** Workflows that were saved before this choice existed search one text. */
const searchInParameter: INodeProperties = {
  displayName: 'Search In',
  name: 'searchIn',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'One Text', value: 'text' },
    { name: 'Several Texts', value: 'texts', description: 'Each result has the index of its text' },
  ],
  default: 'text',
  description: 'What to search',
};
const SEARCH_IN = { text: 'text', texts: 'texts' };

const offered = contractOperation('findPostcodesInText');
const fields = withChoice(offered.fields, 'searchIn', SEARCH_IN);

async function findInText(call: OperationCall) {
  const body = requestBody(call, fieldsOfChoice(call, fields, searchInParameter, SEARCH_IN));
  return [resultItem(call, await sendJson(call, offered, { body }))];
}

export const findPostcodesInText: Operation = {
  ...offered,
  fields,
  leadingParameters: [searchInParameter],
  run: findInText,
};
