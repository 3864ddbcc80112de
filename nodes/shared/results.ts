import type { IBinaryKeyData, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { withoutFailure } from './failure';
import type { OperationCall } from './operation';
import { booleanOf, entryOf } from './values';
import { BEFORE_BESIDE, putsResultBesideInput, SINCE_BESIDE } from './versions';

/** From this version of the nodes on, `keptInputByDefault` keeps the input, except in an agent's tool. */
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

/** The fields and files of the input item, without the fields of an earlier failure. */
export function inputOf({ context, itemIndex }: OperationCall): Input {
  const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
  return { json: withoutFailure(json), files: binary };
}

/**
 * What the output keeps of the input if the option keepInput is not set: all from KEEPING_VERSION on, nothing before.
 * An agent's tool keeps nothing, because the model wrote the input itself.
 */
function keptInputByDefault(call: OperationCall): Input {
  const { type, typeVersion } = call.context.getNode();
  return typeVersion >= KEEPING_VERSION && !type.endsWith('Tool') ? inputOf(call) : NOTHING;
}

/** The part of the input that the output keeps: all, or nothing. */
export function keptInput(call: OperationCall): Input {
  const keepInput = booleanOf(call.options.keepInput);
  if (keepInput === undefined) return keptInputByDefault(call);
  return keepInput ? inputOf(call) : NOTHING;
}

/**
 * What a failed item keeps of the input: the fields as by default, and the files as the option keepInput says, or as by
 * default if the option cannot be read. The option does not decide about the fields, because reading it may be what
 * failed.
 */
export function keptInputOfFailed(call: OperationCall): Input {
  const byDefault = keptInputByDefault(call);
  try {
    return { ...byDefault, files: keptInput(call).files };
  } catch {
    return byDefault;
  }
}

/** The `binary` property of an item; left out if there are no files. */
export const binaryOf = (files: IBinaryKeyData): { binary?: IBinaryKeyData } =>
  Object.keys(files).length === 0 ? {} : { binary: files };

/** The options that decide where a result is put in the item. */
export const outputOptions: readonly INodeProperties[] = [
  {
    displayName: 'Field Prefix',
    name: 'fieldPrefix',
    type: 'string',
    default: '',
    placeholder: 'e.g. home_',
    description:
      'Text before the name of each field of the result, so that it does not replace a field of the same name that the item came with',
    displayOptions: { show: SINCE_BESIDE },
  },
  {
    displayName: 'Put Result in Field',
    name: 'resultField',
    type: 'string',
    default: '',
    placeholder: 'e.g. location',
    description:
      'The field of the item to put the result in, beside the fields that the item keeps. If it is empty, the fields of the result are fields of the item.',
  },
];

/** The options that decide where a result is put in the item, and whether the item keeps its input. */
export const resultOptions: readonly INodeProperties[] = [
  ...outputOptions,
  {
    ...keepInputOption(
      'Keep Input Files',
      'Whether an item keeps its files when its result is put in a field, or when it failed',
    ),
    displayOptions: { show: BEFORE_BESIDE },
  },
  {
    ...keepInputOption(
      'Keep Input Fields and Files',
      'Whether the item keeps the fields and files that it came with, in addition to the fields of the result. A field of the same name is replaced. For an item that failed, this applies only to the files.',
    ),
    displayOptions: { show: SINCE_BESIDE },
  },
];

/** The fields that only some results of an operation have, and a field that all of them have. */
export interface OptionalFields {
  readonly always: string;
  readonly sometimes: readonly string[];
  /**
   * Only results in which this field has this value may have the optional fields. If left out, any result may have
   * them.
   */
  readonly onlyIf?: { readonly field: string; readonly value: string | boolean };
}

const OPTIONAL_FIELDS: readonly OptionalFields[] = [
  { always: 'found', sometimes: ['reason'], onlyIf: { field: 'found', value: false } },
  { always: 'found', sometimes: ['note'], onlyIf: { field: 'reason', value: 'noneInRange' } },
  { always: 'isValid', sometimes: ['suggestion'], onlyIf: { field: 'isValid', value: false } },
];

/**
 * The kept fields without the optional ones of an earlier result of the same kind. The new result may lack these
 * fields, and then would not replace them.
 */
function withoutEarlierFields(
  keptFields: IDataObject,
  prefix: string,
  result: IDataObject,
  optional: readonly OptionalFields[],
): IDataObject {
  const replaced = optional.filter(({ always, onlyIf }) => {
    const isEarlier = always in result && `${prefix}${always}` in keptFields;
    return isEarlier && (onlyIf === undefined || keptFields[`${prefix}${onlyIf.field}`] === onlyIf.value);
  });
  const names = new Set(replaced.flatMap(({ sometimes }) => sometimes.map((name) => `${prefix}${name}`)));
  return Object.fromEntries(Object.entries(keptFields).filter(([name]) => !names.has(name)));
}

/**
 * The JSON of an output item: the kept fields and the fields of the result or, if the option resultField is set, the
 * result in that field. With resultField, nodes before BESIDE_VERSION keep all fields of the input, not only
 * `keptFields`.
 */
export function withResult(
  call: OperationCall,
  keptFields: IDataObject,
  result: IDataObject,
  optional = OPTIONAL_FIELDS,
): IDataObject {
  const { fieldPrefix, resultField } = call.options;
  const field = entryOf(resultField);
  const isBeside = putsResultBesideInput(call.context.getNode());
  if (field !== undefined) return { ...(isBeside ? keptFields : inputOf(call).json), [field]: result };
  const prefix = isBeside ? (entryOf(fieldPrefix) ?? '') : '';
  const named =
    prefix === ''
      ? result
      : Object.fromEntries(Object.entries(result).map(([name, value]) => [`${prefix}${name}`, value]));
  return { ...withoutEarlierFields(keptFields, prefix, result, optional), ...named };
}

/** The output item for a result, linked to its input item. */
export function resultItem(call: OperationCall, result: IDataObject): INodeExecutionData {
  const pairedItem = { item: call.itemIndex };
  const isInField = entryOf(call.options.resultField) !== undefined;
  if (!isInField && !putsResultBesideInput(call.context.getNode())) return { json: result, pairedItem };
  const input = keptInput(call);
  return { json: withResult(call, input.json, result), ...binaryOf(input.files), pairedItem };
}
