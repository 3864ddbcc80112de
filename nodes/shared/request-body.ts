import { type GenericValue, type IDataObject, NodeOperationError } from 'n8n-workflow';
import type { OperationCall, RequestField } from './operation';

const WORDS = new Map([
  ['true', true],
  ['false', false],
]);

/** An expression often yields the text of a number or a truth; the server takes neither as text. */
function asTyped(value: unknown, { keepsLastSpace, parameter: { type } }: RequestField): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean') return WORDS.get(text.toLowerCase()) ?? text;
  return keepsLastSpace === true && text !== '' && /\s$/u.test(value) ? `${text} ` : text;
}

const isValue = (value: unknown): value is GenericValue =>
  value !== undefined && value !== null && value !== '';

/** The error for a parameter that has no value for this item. */
export const emptyParameter = ({ context, itemIndex }: OperationCall, displayName: string) =>
  new NodeOperationError(context.getNode(), `${displayName} is empty`, {
    itemIndex,
    description: `Enter a value for ${displayName}, or an expression that has one for this item. A Filter node before this one can take out the items that have none.`,
  });

/** The body of a request: every field that the user has given, under the interface's name. */
export function requestBody(call: OperationCall, fields: readonly RequestField[]): IDataObject {
  const body: IDataObject = {};
  for (const requestField of fields) {
    const { field, isOption, parameter } = requestField;
    const given: unknown =
      isOption === true
        ? call.options[parameter.name]
        : call.context.getNodeParameter(parameter.name, call.itemIndex);
    const value = asTyped(given, requestField);
    if (isValue(value)) body[field] = value;
    else if (parameter.required === true) throw emptyParameter(call, parameter.displayName);
  }
  return body;
}
