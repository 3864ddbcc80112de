import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { emptyParameter, requestBody } from '../../shared/json-request';
import type { RequestField } from '../../shared/contract-fields';
import type { OperationCall } from '../../shared/operation';
import { entryOf, textOf } from '../../shared/values';
import { withSignIn } from '../sign-in';
import { decodedHtml } from './html-file';

const FILE = 'file';

/**
 * The choice of the page's source, and the name of the binary field with an HTML file. Workflows that were saved before
 * this choice existed capture an address.
 */
export const sourceParameters: readonly INodeProperties[] = [
  {
    displayName: 'Source',
    name: 'source',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'File', value: FILE, description: 'An HTML file that the item came with' },
      { name: 'HTML', value: 'html', description: 'HTML as text, such as from an expression' },
      { name: 'URL', value: 'url', description: 'The page at an address' },
    ],
    default: 'url',
    description: 'Where the page comes from',
  },
  {
    displayName: 'Input Binary Field',
    name: 'inputBinaryField',
    type: 'string',
    default: 'data',
    required: true,
    placeholder: 'e.g. data',
    hint: 'The name of the input binary field containing the HTML file',
    description: 'The file of the item that is the page',
    displayOptions: { show: { source: [FILE] } },
  },
];

const SOURCES: Readonly<Record<string, INodeProperties['typeOptions']>> = { url: {}, html: { rows: 4 } };

/** Shows the parameter of a source only if that source is chosen, and makes it required. */
export const withSources = (fields: readonly RequestField[]): RequestField[] =>
  fields.map((requestField) => {
    const typeOptions = SOURCES[requestField.field];
    if (typeOptions === undefined) return requestField;
    const displayOptions = { show: { source: [requestField.field] } };
    const parameter = { ...requestField.parameter, required: true, typeOptions, displayOptions };
    return { ...requestField, parameter };
  });

/** The body of a request for a page. */
export interface PageBody {
  /** The request without the content of a file, and with placeholders in its steps. */
  readonly body: IDataObject;
  /**
   * The name of the HTML file without its extension; undefined if the page is not from a file or the file has no
   * name.
   */
  readonly fileStem?: string | undefined;
  /**
   * The request as it is sent: with the content of the file if there is one, and with the credential's values in place
   * of the placeholders. Rejects if the file or the credential cannot be used.
   */
  bodyToSend(): Promise<IDataObject>;
}

const notHtml = (mimeType = 'unknown') =>
  `Its type is ${mimeType}. Name the field of an HTML file in Input Binary Field.`;

/** The body of a request for a page, from the source that the user chose. */
export function pageBody(call: OperationCall, fields: readonly RequestField[]): PageBody {
  const { context, itemIndex } = call;
  const source = textOf(context.getNodeParameter('source', itemIndex, 'url')) ?? 'url';
  const others = fields.filter(({ field }) => !(field in SOURCES) || field === source);
  const body = requestBody(call, others);
  if (source !== FILE) return { body, bodyToSend: () => withSignIn(context, itemIndex, body) };
  const name = entryOf(context.getNodeParameter('inputBinaryField', itemIndex, 'data'));
  if (name === undefined) throw emptyParameter(call, 'Input Binary Field');
  const file = context.getInputData()[itemIndex]?.binary?.[name];
  return {
    body,
    fileStem: textOf(file?.fileName?.replace(/\.[^.]*$/u, '')),
    async bodyToSend() {
      context.helpers.assertBinaryData(itemIndex, name);
      const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, name);
      const html = decodedHtml(bytes);
      if (html === undefined || html.trim() === '')
        throw new NodeOperationError(
          context.getNode(),
          `The file in ${name} is ${html === undefined ? 'not HTML' : 'empty'}`,
          { itemIndex, description: notHtml(file?.mimeType) },
        );
      return await withSignIn(context, itemIndex, { ...body, html });
    },
  };
}
