import type { IBinaryKeyData, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { withoutFailure } from './failure';
import type { OperationCall } from './operation';
import { textOf } from './values';

/** From this version of the nodes on, an item keeps what it came with where the user has not said. */
const KEEPING_VERSION = 1.1;

/** The option that decides whether an item keeps what it came with. */
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

/** The fields and files that the item came with, without the words of a failure that it has come back from. */
export function inputOf({ context, itemIndex }: OperationCall): Input {
  const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
  return { json: withoutFailure(json), files: binary };
}

/** An agent's tool gets what the model wrote, which the model need not be told again. */
function keptByDefault(call: OperationCall): Input {
  const { type, typeVersion } = call.context.getNode();
  return typeVersion >= KEEPING_VERSION && !type.endsWith('Tool') ? inputOf(call) : NOTHING;
}

/** What the item keeps of its input: all, or nothing. */
export function keptInput(call: OperationCall): Input {
  const { keepInput } = call.options;
  if (typeof keepInput !== 'boolean') return keptByDefault(call);
  return keepInput ? inputOf(call) : NOTHING;
}

/** What a failed item keeps: the option decides about its files alone, and may itself be what is wrong with it. */
export function keptByFailed(call: OperationCall): Input {
  const byDefault = keptByDefault(call);
  try {
    return { ...byDefault, files: keptInput(call).files };
  } catch {
    return byDefault;
  }
}

/** The property of an item with its files; none where there are none. */
export const binaryOf = (files: IBinaryKeyData): { binary?: IBinaryKeyData } =>
  Object.keys(files).length === 0 ? {} : { binary: files };

/** Keep what came in and add what was found, in a field of its own. */
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

/** The outgoing item with a result, linked to the item that it belongs to. */
export function resultItem(call: OperationCall, result: IDataObject): INodeExecutionData {
  const field = textOf(call.options.resultField);
  const pairedItem = { item: call.itemIndex };
  if (field === undefined) return { json: result, pairedItem };
  const json = { ...inputOf(call).json, [field]: result };
  return { json, ...binaryOf(keptInput(call).files), pairedItem };
}
