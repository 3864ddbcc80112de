import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import { contractOperation } from '../../shared/contract-operations';
import { emptyParameter, requestBody } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { isObject, textOf } from '../../shared/values';

/** The parameter for the address of the page, the only field that every linked capture must have. */
const urlParameter: INodeProperties = {
  displayName: 'URL',
  name: 'url',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. https://example.com',
  description: 'The address of the page that the link shows',
};

/** The body of the request for a link. Its field `request` has the address and the fields of the capture. */
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

/**
 * The request is not repeatable: if only the response was lost, the server has made the link, and another try would
 * make a second one.
 */
const offered = contractOperation('createCaptureLink', { bodyOf: linkBody, isRepeatable: false });

/**
 * Shortens the names of the choices, such as "Capture PDF" to "PDF", because the parameter is called Capture already.
 */
const shortNames = (parameter: INodeProperties): INodeProperties => ({
  ...parameter,
  options: (parameter.options ?? []).map((option) => ({
    ...option,
    name: option.name.replace(/^Capture /u, ''),
  })),
});

/** The operation that makes an address which shows a capture without a key. */
export const createCaptureLink: Operation = {
  ...offered,
  fields: offered.fields.map((requestField) => {
    if (requestField.field === 'request')
      // The default of Capture Options is {}, because the editor marks an empty text as wrong JSON.
      return {
        ...requestField,
        before: urlParameter,
        parameter: { ...requestField.parameter, default: '{}' },
      };
    return requestField.field === 'operation'
      ? { ...requestField, parameter: shortNames(requestField.parameter) }
      : requestField;
  }),
};
