import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { OperationCall } from '../shared/operation';
import type { ServiceAnswer } from '../shared/service';
import { booleanOf, entryOf, isObject, parseJson, textOf } from '../shared/values';

const isJson = (value: unknown): value is GenericValue => value !== undefined;

/** The text parsed as JSON, or the text itself if it is not JSON. */
const jsonOrText = (text: string): GenericValue => {
  const json = parseJson(text);
  return isJson(json) ? json : text;
};

const bytesOf = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : '');
};

/**
 * Reads a response: as a file, unless its media type is JSON, text or missing. A text that is valid JSON is parsed even
 * if its type is not JSON. An empty response becomes an empty object.
 */
function readBody(bytes: Buffer, mediaType: string): { value: GenericValue } | { file: Buffer } {
  if (bytes.length === 0) return { value: {} };
  const isText = mediaType === '' || /^text\//iu.test(mediaType) || /[/+]json$/iu.test(mediaType);
  return isText ? { value: jsonOrText(bytes.toString('utf8')) } : { file: bytes };
}

const asObject = (value: unknown): IDataObject => {
  if (isObject(value)) return value;
  return { data: isJson(value) ? value : null };
};

/**
 * The items for a response: one per entry of a JSON list, otherwise one, which has a file if the response is neither
 * JSON nor text. With the option Full Response, a list is one item too.
 */
export async function answerItems(call: OperationCall, answer: ServiceAnswer): Promise<INodeExecutionData[]> {
  const { context, itemIndex, options } = call;
  const pairedItem = { item: itemIndex };
  const mediaType = (textOf(answer.headers['content-type']) ?? '').split(';')[0]?.trim() ?? '';
  const read = readBody(bytesOf(answer.body), mediaType);
  const isFull = booleanOf(options.fullResponse) === true;
  const about: IDataObject = { statusCode: answer.status, headers: answer.headers };
  if ('file' in read) {
    const field = entryOf(options.binaryPropertyName) ?? 'data';
    const file = await context.helpers.prepareBinaryData(read.file, undefined, mediaType);
    const json = { mimeType: mediaType, fileSizeBytes: read.file.length, binaryField: field };
    return [
      {
        json: isFull ? { ...about, ...json } : json,
        binary: { [field]: file },
        pairedItem,
      },
    ];
  }
  if (isFull) return [{ json: { ...about, body: read.value }, pairedItem }];
  const entries: unknown = read.value;
  if (Array.isArray(entries)) return entries.map((entry: unknown) => ({ json: asObject(entry), pairedItem }));
  return [{ json: asObject(read.value), pairedItem }];
}
