import type { IBinaryKeyData, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { withoutFailure } from './failure';
import type { OperationCall } from './operation';
import { textOf } from './values';

/** From this version of the nodes on, an item keeps its input by default. */
const KEEPING_VERSION = 1.1;

/** The option that decides whether an item keeps its input. */
export const keepInputOption = (displayName: string, description: string): INodeProperties => ({
  displayName,
  name: 'keepInput',
  type: 'boolean',
  default: true,
  description,
});

interface Input {
  readonly json: IDataObject;
  readonly files: IBinaryKeyData;
}

const NOTHING: Input = { json: {}, files: {} };

/** The fields and files of the input item, without those of a failure that it was retried after. */
export function inputOf({ context, itemIndex }: OperationCall): Input {
  const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
  return { json: withoutFailure(json), files: binary };
}

/** For an agent's tool, the input is what the model wrote, and need not be repeated to it. */
function keptByDefault(call: OperationCall): Input {
  const { type, typeVersion } = call.context.getNode();
  return typeVersion >= KEEPING_VERSION && !type.endsWith('Tool') ? inputOf(call) : NOTHING;
}

/** The kept part of the input: all, or nothing. */
export function keptInput(call: OperationCall): Input {
  const { keepInput } = call.options;
  if (typeof keepInput !== 'boolean') return keptByDefault(call);
  return keepInput ? inputOf(call) : NOTHING;
}

/** The kept part of a failed item's input. The option only decides about its files, and may itself be the error. */
export function keptByFailed(call: OperationCall): Input {
  const byDefault = keptByDefault(call);
  try {
    return { ...byDefault, files: keptInput(call).files };
  } catch {
    return byDefault;
  }
}

/** The `binary` property of an item; left out if there are no files. */
export const binaryOf = (files: IBinaryKeyData): { binary?: IBinaryKeyData } =>
  Object.keys(files).length === 0 ? {} : { binary: files };

/** The options to keep the input, and to add the result in a field of its own. */
export const resultOptions: readonly INodeProperties[] = [
  {
    displayName: 'Put Result in Field',
    name: 'resultField',
    type: 'string',
    default: '',
    placeholder: 'e.g. location',
    description:
      'The field of the incoming item to put the result in, so that the item keeps its other fields. If it is empty, the output has only the result.',
  },
  keepInputOption(
    'Keep Input Files',
    'Whether an item keeps its files when its result is put in a field, or when it failed',
  ),
];

/** The output item for a result, linked to its input item. */
export function resultItem(call: OperationCall, result: IDataObject): INodeExecutionData {
  const field = textOf(call.options.resultField);
  const pairedItem = { item: call.itemIndex };
  if (field === undefined) return { json: result, pairedItem };
  const json = { ...inputOf(call).json, [field]: result };
  return { json, ...binaryOf(keptInput(call).files), pairedItem };
}
