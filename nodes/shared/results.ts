import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { binaryOf, inputOf, keepInputOption, keptInput } from './kept-input';
import type { OperationCall } from './operation';
import { textOf } from './values';

/** Keep what came in and add what was found, in a field of its own. */
export const resultOptions: readonly INodeProperties[] = [
  {
    displayName: 'Put Result in Field',
    name: 'resultField',
    type: 'string',
    default: '',
    placeholder: 'e.g. location',
    description:
      'The field of the incoming item that takes the result, so that the item keeps its other fields. Empty: the result alone.',
  },
  keepInputOption(
    'Keep Input Files',
    'Whether an item whose result is put in a field, or that goes on as failed, keeps its files. This decides about the files alone.',
  ),
];

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
export function resultItem(call: OperationCall, result: IDataObject): INodeExecutionData {
  const field = textOf(call.options.resultField);
  const pairedItem = { item: call.itemIndex };
  if (field === undefined) return { json: result, pairedItem };
  const json = { ...inputOf(call).json, [field]: result };
  return { json, ...binaryOf(keptInput(call).files), pairedItem };
}
