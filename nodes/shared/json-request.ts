import { type GenericValue, type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { type Alternatives, CHOSEN_FIELD, OBJECT_VALUES, type RequestField } from './contract-fields';
import type { JsonOperation, OperationCall } from './operation';
import { maximumWaitMs } from './pacing';
import type { ServiceRequest } from './service';
import { booleanOf, enteredText, isObject, namesIn, parseJson, property, textOf } from './values';
import { wrongAddress } from './wrong-address';

const TIMEOUT_MS = 60_000;

/** How a field is entered and sent. */
type FieldForm = Pick<
  RequestField,
  'keepsLastSpace' | 'isOption' | 'isRecord' | 'alternatives' | 'parameter'
>;

/** A number or boolean as text; any other value unchanged. */
const asText = (value: unknown): unknown => {
  const text = enteredText(value);
  return text === '' ? value : text;
};

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * The entries of a list. An entry may be an expression that returns several entries. In an option, blank entries are
 * left out, which the editor adds before anything is entered.
 */
function entriesOf(list: readonly unknown[], { isOption, parameter }: FieldForm): unknown[] {
  const entries = list.flat();
  if (parameter.type !== 'string') return entries;
  const texts = entries.map(asText);
  return isOption === true ? texts.filter((entry) => !isBlank(entry)) : texts;
}

/**
 * Converts a value to the text, number, boolean, list or JSON that it means: expressions often return another type,
 * which the server would reject. A text that cannot be converted is only trimmed.
 */
function toFieldType(value: unknown, form: FieldForm): unknown {
  const { keepsLastSpace, isRecord, alternatives, parameter } = form;
  const { type } = parameter;
  if (type === 'fixedCollection') {
    const content = property(value, OBJECT_VALUES);
    if (!Array.isArray(content)) return objectOf(content, parameter);
    if (alternatives !== undefined)
      return objectsOf(content).map((entry) => chosenOf(entry, parameter, alternatives));
    const objects = objectsOf(content.map((values) => objectOf(values, parameter)));
    return isRecord === true ? recordOf(objects) : objects;
  }
  if (Array.isArray(value)) return entriesOf(value, form);
  if (typeof value !== 'string') return type === 'string' ? asText(value) : value;
  const text = value.trim();
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean') return booleanOf(text) ?? text;
  if (type === 'multiOptions') return namesIn(text);
  if (type === 'json') return parseJson(text) ?? text;
  return keepsLastSpace === true && text !== '' && /\s$/u.test(value) ? `${text} ` : text;
}

/** An object whose fields were entered one by one; undefined if the object was not added. */
function objectOf(values: unknown, { options = [] }: INodeProperties): IDataObject | undefined {
  if (!isObject(values)) return undefined;
  const parameters = options.flatMap((option) => ('values' in option ? option.values : []));
  const object: IDataObject = {};
  for (const parameter of parameters) {
    const value = toFieldType(values[parameter.name], { parameter });
    if (isValue(value)) object[parameter.name] = value;
  }
  return object;
}

/** The fields of an entry that are sent: the chosen one, and those that go with it. */
function chosenOf(entry: IDataObject, parameter: INodeProperties, alternatives: Alternatives): IDataObject {
  const chosen = textOf(entry[CHOSEN_FIELD]) ?? Object.keys(alternatives)[0] ?? '';
  const others = alternatives[chosen] ?? [];
  return {
    [chosen]: objectOf(entry, parameter)?.[chosen] ?? '',
    ...Object.fromEntries(others.map((name) => [name, enteredText(entry[name])])),
  };
}

/** Combines name-value pairs into one object; undefined without any pair. */
function recordOf(objects: readonly IDataObject[]): IDataObject | undefined {
  const record: IDataObject = {};
  for (const { name, value } of objects) if (typeof name === 'string') record[name] = value ?? '';
  return Object.keys(record).length === 0 ? undefined : record;
}

const isValue = (value: unknown): value is GenericValue =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The error for a required parameter without a value for this item. */
export const emptyParameter = ({ context, itemIndex }: OperationCall, displayName: string) =>
  new NodeOperationError(context.getNode(), `${displayName} is empty`, {
    itemIndex,
    description: `Enter a value for ${displayName}, or an expression that gives one for this item. A Filter node before this one can remove the items without one.`,
  });

/**
 * The body of a request: every field that the user set, under its name in the interface. Throws if a required one is
 * empty.
 */
export function requestBody(call: OperationCall, fields: readonly RequestField[]): IDataObject {
  const body: IDataObject = {};
  for (const requestField of fields) {
    const { field, isOption, parameter } = requestField;
    const entered: unknown =
      isOption === true
        ? call.options[parameter.name]
        : call.context.getNodeParameter(parameter.name, call.itemIndex);
    const value = toFieldType(entered, requestField);
    if (isValue(value)) body[field] = value;
    else if (parameter.required === true) throw emptyParameter(call, parameter.displayName);
  }
  return body;
}

/** The part of a request's body that comes from options. */
export function requestOptions(options: IDataObject, fields: readonly RequestField[]): IDataObject {
  const body: IDataObject = {};
  for (const requestField of fields) {
    const value = toFieldType(options[requestField.parameter.name], requestField);
    if (isValue(value)) body[requestField.field] = value;
  }
  return body;
}

/** Whether a request may be sent again if its outcome is unknown. Steps may do something that must happen only once. */
export const isRepeatable = (body: unknown): boolean => property(body, 'steps') === undefined;

interface JsonRequest extends Pick<ServiceRequest, 'body' | 'headers'> {
  readonly timeoutMs?: number;
}

/**
 * Sends a request, and returns the object in the JSON body of the response. Throws if the body is no object, or has
 * none of `answerFields` although these are known: then some other server is at the Base URL.
 */
export async function sendJson(
  call: OperationCall,
  { method, path, answerFields, isRepeatable: mayRepeat = true }: JsonOperation,
  { timeoutMs = TIMEOUT_MS, ...request }: JsonRequest = {},
): Promise<IDataObject> {
  const { body, baseUrl } = await call.client.send(
    { ...request, method, path, isRepeatable: mayRepeat && isRepeatable(request.body), timeoutMs },
    { itemIndex: call.itemIndex, maximumWaitMs: maximumWaitMs(call) },
  );
  if (isObject(body) && (answerFields.length === 0 || answerFields.some((field) => field in body)))
    return body;
  const answered = isObject(body) ? 'answered with other fields' : 'answered something other than JSON';
  throw wrongAddress(call.context.getNode(), baseUrl, answered, call.itemIndex);
}

/** The objects in a list of unknown values. */
export const objectsOf = (value: unknown): IDataObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
