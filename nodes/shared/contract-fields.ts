import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { RequestField } from './operation';

/** A field as the contract has it, of a request or of an object in one. */
interface DescribedField {
  readonly field: string;
  readonly type: string;
  readonly description: string;
  readonly default?: string | number | boolean | undefined;
  /** All that it may be, where these are few. */
  readonly values?: readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** How many entries a list may have. */
  readonly maxItems?: number | undefined;
  readonly example?: string | undefined;
  readonly isSecret?: boolean | undefined;
  /** What an object consists of, or each of a list of objects, or each name with its value, where that is known. */
  readonly fields?: readonly DescribedField[] | undefined;
  /** What the contract says of n8n alone; see N8nField there. */
  readonly parameter?: string | undefined;
  readonly displayName?: string | undefined;
  readonly choices?: Readonly<Record<string, string | undefined>> | undefined;
  readonly decimals?: number | undefined;
  readonly keepsLastSpace?: boolean | undefined;
}

/** A field of a request. */
export interface ContractField extends DescribedField {
  readonly isRequired: boolean;
  readonly isOption: boolean;
}

const ACRONYM = /\b(?:css|dom|html|id|jpeg|pdf|png|url)\b/giu;
const UNIT = / (Characters|Metres|Ms|Pixels|Seconds)$/u;

/** A name of the contract as the editor shows it: "radiusMetres" is "Radius (Metres)". */
function titleOf(name: string): string {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/gu, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(ACRONYM, (acronym) => acronym.toUpperCase())
    .replace(/^Webp$/u, 'WebP')
    .replace(UNIT, ' ($1)');
}

/** The words of the contract in the editor's style: a sentence alone has no full stop, and a truth is "Whether to". */
function describe({ type, description, minimum, maximum }: DescribedField): string {
  const words =
    type === 'boolean'
      ? `Whether to ${description.charAt(0).toLowerCase()}${description.slice(1)}`
      : description;
  if (minimum !== undefined && maximum !== undefined) return `${words} From ${minimum} to ${maximum}.`;
  return /\. \p{Lu}/u.test(words) ? words : words.replace(/\.$/u, '');
}

const byName = (one: INodePropertyOptions, other: INodePropertyOptions) => (one.name < other.name ? -1 : 1);

const choicesOf = (values: readonly string[], { choices = {} }: DescribedField): INodePropertyOptions[] =>
  values
    .map((value) => {
      const description = choices[value];
      return { name: titleOf(value), value, ...(description === undefined ? {} : { description }) };
    })
    .sort(byName);

/** Where the editor keeps the values of an object whose fields it shows. */
export const OBJECT_VALUES = 'values';

type Kind = Pick<INodeProperties, 'type' | 'default' | 'options' | 'typeOptions'>;

/** What the editor lets the user enter. A field without a default of its own is not sent while it is empty. */
function kindOf(field: DescribedField): Kind {
  const { type, values, minimum, maximum, fields } = field;
  if (values !== undefined && type === 'choices')
    return { type: 'multiOptions', options: choicesOf(values, field), default: [] };
  if (values !== undefined)
    return { type: 'options', options: choicesOf(values, field), default: field.default ?? '' };
  if (type === 'boolean') return { type: 'boolean', default: field.default ?? false };
  if (type === 'string')
    return {
      type: 'string',
      ...(field.isSecret === true ? { typeOptions: { password: true } } : {}),
      default: field.default ?? '',
    };
  if (type === 'texts') return { type: 'string', typeOptions: { multipleValues: true }, default: [] };
  if (fields !== undefined)
    return {
      type: 'fixedCollection',
      ...(type === 'object' ? {} : { typeOptions: { multipleValues: true } }),
      options: [{ name: OBJECT_VALUES, displayName: titleOf(field.field), values: fields.map(parameterOf) }],
      default: {},
    };
  if (type !== 'integer' && type !== 'number') return { type: 'json', default: '' };
  const decimals = type === 'integer' ? 0 : field.decimals;
  return {
    type: 'number',
    typeOptions: {
      ...(minimum === undefined ? {} : { minValue: minimum }),
      ...(maximum === undefined ? {} : { maxValue: maximum }),
      ...(decimals === undefined ? {} : { numberPrecision: decimals }),
    },
    default: field.default ?? Math.max(0, minimum ?? 0),
  };
}

function parameterOf(field: DescribedField): INodeProperties {
  const name = field.parameter ?? field.field;
  return {
    displayName: field.displayName ?? titleOf(name),
    name,
    description: describe(field),
    ...kindOf(field),
    ...(field.example === undefined ? {} : { placeholder: `e.g. ${field.example}` }),
  };
}

/** The parameter in which the user gives a field of the contract. */
export function contractField(field: ContractField): RequestField {
  const { isOption, isRequired, keepsLastSpace = false } = field;
  return {
    field: field.field,
    isOption,
    isRecord: field.type === 'record',
    keepsLastSpace,
    parameter: { ...parameterOf(field), ...(isRequired ? { required: true } : {}) },
  };
}
