import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import { contractOperation } from '../../shared/contract-operations';
import { emptyParameter, requestBody } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { isObject, textOf } from '../../shared/values';

/** The only field that the linked request always has. */
const urlParameter: INodeProperties = {
  displayName: 'URL',
  name: 'url',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. https://example.com',
  description: 'The address of the page that the link shows',
};

/** The body of the request: the address and the other fields of the capture are one object in it. */
function linkBody(call: OperationCall, fields: readonly RequestField[]): IDataObject {
  const { context, itemIndex } = call;
  const { request: options, ...others } = requestBody(call, fields);
  const url = textOf(context.getNodeParameter(urlParameter.name, itemIndex));
  if (url === undefined) throw emptyParameter(call, urlParameter.displayName);
  if (options !== undefined && !isObject(options))
    throw new NodeOperationError(context.getNode(), 'Capture Options is not a JSON object', {
      itemIndex,
      description: 'Enter an object such as { "fullPage": true }, or leave it empty.',
    });
  return { ...others, request: { ...options, url } };
}

const offered = contractOperation('createCaptureLink', { bodyOf: linkBody });

/** Makes an address that shows a capture without a key. */
export const createCaptureLink: Operation = {
  ...offered,
  fields: offered.fields.map((requestField) =>
    requestField.field === 'request' ? { ...requestField, before: urlParameter } : requestField,
  ),
};
