import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../../../shared/operation';
import { textOf } from '../../../shared/values';

/** Keeps what came in and adds what was found, in a field of its own. */
export const resultFieldOption: INodeProperties = {
  displayName: 'Put Result in Field',
  name: 'resultField',
  type: 'string',
  default: '',
  placeholder: 'e.g. location',
  description:
    'The field of the incoming item that takes the result, so that the item keeps its other fields. Empty: the result alone.',
};

export const splitParameter = (what: string): INodeProperties => ({
  displayName: 'Return One Item per Result',
  name: 'oneItemPerResult',
  type: 'boolean',
  default: true,
  description: `Whether to return each ${what} as an item of its own instead of one item with the whole list`,
});

export const wantsOneItemPerResult = ({ context, itemIndex }: OperationCall): boolean =>
  context.getNodeParameter('oneItemPerResult', itemIndex, true) === true;

/** The outgoing item with a result, linked to the item that it belongs to. */
export function resultItem(
  { context, itemIndex, options }: OperationCall,
  result: IDataObject,
): INodeExecutionData {
  const field = textOf(options.resultField);
  const incoming = context.getInputData()[itemIndex]?.json ?? {};
  return {
    json: field === undefined ? result : { ...incoming, [field]: result },
    pairedItem: { item: itemIndex },
  };
}
