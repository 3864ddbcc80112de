import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** For an object that has exactly one of several fields: each such field, with the fields that go with it. */
export type Alternatives = Readonly<Record<string, readonly string[] | undefined>>;

/** A field of a request together with its parameter in the editor. */
export interface RequestField {
  /** The field's name in the request. */
  readonly field: string;
  /** True if the parameter is in a list of options, such as Options. */
  readonly isOption?: boolean;
  /** Set if a trailing space matters: white space at the end of the text is sent as one space. */
  readonly keepsLastSpace?: boolean;
  /** Set if the field is entered as a list of names and values, but sent as an object. */
  readonly isRecord?: boolean;
  /**
   * For a list whose entries have exactly one of several fields: each such field, with the fields that go with it.
   */
  readonly alternatives?: Alternatives;
  readonly parameter: INodeProperties;
  /** A parameter that is shown before this one, and that `requestBody` leaves out. */
  readonly before?: INodeProperties;
}

/** A field of a request, or of an object in one, as the contract describes it. */
interface DescribedField {
  readonly field: string;
  readonly type: string;
  readonly description: string;
  readonly default?: string | number | boolean | undefined;
  /** All allowed values, if the contract lists them. */
  readonly values?: readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The maximum number of entries of a list. */
  readonly maxItems?: number | undefined;
  readonly example?: string | undefined;
  readonly isSecret?: boolean | undefined;
  /** Set if the text may be so long that the editor shows an input of several lines. */
  readonly isLong?: boolean | undefined;
  /** The fields of an object, of each object in a list, or of each name-value pair, if they are known. */
  readonly fields?: readonly DescribedField[] | undefined;
  /** This member and those below it are settings for n8n, which N8nField in the contract explains. */
  readonly parameter?: string | undefined;
  readonly displayName?: string | undefined;
  readonly choices?: Readonly<Record<string, string | undefined>> | undefined;
  readonly hint?: string | undefined;
  readonly alternatives?: Alternatives | undefined;
  readonly decimals?: number | undefined;
  readonly keepsLastSpace?: boolean | undefined;
}

/** A field of a request. */
export interface ContractField extends DescribedField {
  readonly isRequired: boolean;
  readonly isOption: boolean;
}

const ACRONYM = /\b(?:css|dom|html|icb|id|jpeg|lsoa|msoa|pdf|png|url)\b/giu;
const UNIT = / (Characters|Metres|Ms|Pixels|Seconds)$/u;
const SMALL_WORD = /(?<=\S )(?:For|In|On)(?= )/gu;

/** The name of a field as the editor shows it: "Radius (Metres)" for "radiusMetres". */
function titleOf(name: string): string {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/gu, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(ACRONYM, (acronym) => acronym.toUpperCase())
    .replace(/^Webp$/u, 'WebP')
    .replace(/^Goto$/u, 'Go To')
    .replace(SMALL_WORD, (word) => word.toLowerCase())
    .replace(UNIT, ' ($1)')
    .replace('(Ms)', '(Milliseconds)');
}

const shownName = ({ field, parameter = field, displayName = titleOf(parameter) }: DescribedField) =>
  displayName;

/** The label of the button that adds an entry: "Add Cookie" for Cookies. */
const addLabel = (field: DescribedField) => `Add ${shownName(field).replace(/s$/u, '')}`;

/** The names of fields in the editor, by their names in the contract. */
type FieldNames = ReadonlyMap<string, string>;

/**
 * The contract's description in the editor's style: a single sentence has no full stop, a boolean starts with "Whether
 * to", quoted fields have the names that the editor shows, and a number that has both a minimum and a maximum gets a
 * sentence with its range.
 */
function describe({ type, description, minimum, maximum }: DescribedField, names: FieldNames): string {
  const named = description.replace(/"(\w+)"/gu, (quoted, name: string) => names.get(name) ?? quoted);
  const words = type === 'boolean' ? `Whether to ${named.charAt(0).toLowerCase()}${named.slice(1)}` : named;
  if (minimum !== undefined && maximum !== undefined) return `${words} From ${minimum} to ${maximum}.`;
  return /\. "?\p{Lu}/u.test(words) ? words : words.replace(/\.$/u, '');
}

const byName = (one: INodePropertyOptions, other: INodePropertyOptions) => (one.name < other.name ? -1 : 1);

const choicesOf = (values: readonly string[], { choices = {} }: DescribedField): INodePropertyOptions[] =>
  values
    .map((value) => {
      const description = choices[value];
      // The label of a choice. A value with a space or a slash, such as most time zones, is its own label.
      const name = /[ /]/u.test(value) ? value : titleOf(value);
      return { name, value, ...(description === undefined ? {} : { description }) };
    })
    .sort(byName);

/** The key under which n8n stores an object, or a list of objects, that is entered field by field. */
export const OBJECT_VALUES = 'values';
/** The name of the parameter that says which field of an entry is sent. */
export const CHOSEN_FIELD = 'action';

type ParameterKind = Pick<INodeProperties, 'type' | 'default' | 'options' | 'typeOptions' | 'placeholder'>;

/** Names of time zones, most of them newer ones, that some versions of Node.js know but do not list. */
const NEWER_TIMEZONES = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'GMT',
  'UTC',
];
/** The time zones that the editor offers. */
const TIMEZONES = [...new Set([...NEWER_TIMEZONES, ...Intl.supportedValuesOf('timeZone')])];

/**
 * The parameters of an entry: one for each field. If only one of several fields is sent, a choice of that field comes
 * first, and the fields are shown that go with the choice.
 */
function entryParameters(field: DescribedField, names: FieldNames): INodeProperties[] {
  const { fields = [], alternatives } = field;
  if (alternatives === undefined) return fields.map((part) => parameterOf(part, names));
  const chosen = Object.entries(alternatives);
  const sentFor = (part: string) =>
    chosen.filter(([name, others = []]) => name === part || others.includes(part)).map(([name]) => name);
  const choice: ParameterKind = {
    type: 'options',
    options: choicesOf(Object.keys(alternatives), field),
    default: chosen[0]?.[0] ?? '',
  };
  return [
    { displayName: 'Action', name: CHOSEN_FIELD, description: 'What to do', ...choice },
    ...fields.map((part) => ({
      ...parameterOf(part, names),
      ...(part.field in alternatives ? { required: true } : {}),
      displayOptions: { show: { [CHOSEN_FIELD]: sentFor(part.field) } },
    })),
  ];
}

/** The kind of input in the editor, with its default. */
function kindOf(field: DescribedField, names: FieldNames): ParameterKind {
  const { type, minimum, maximum, fields, alternatives } = field;
  const values = field.field === 'timezone' ? TIMEZONES : field.values;
  if (values !== undefined && type === 'choices')
    return { type: 'multiOptions', options: choicesOf(values, field), default: [] };
  if (values !== undefined)
    return {
      type: 'options',
      options: choicesOf(values, field),
      default: field.default ?? field.example ?? values[0] ?? '',
    };
  if (type === 'boolean') return { type: 'boolean', default: field.default ?? false };
  if (type === 'string')
    return {
      type: 'string',
      // A secret gets one line, because the editor does not hide texts of several lines.
      ...(field.isSecret === true ? { typeOptions: { password: true } } : {}),
      ...(field.isLong === true && field.isSecret !== true ? { typeOptions: { rows: 4 } } : {}),
      default: field.default ?? '',
    };
  if (type === 'texts')
    return {
      type: 'string',
      typeOptions: { multipleValues: true, multipleValueButtonText: addLabel(field) },
      default: [],
    };
  if (fields !== undefined)
    return {
      type: 'fixedCollection',
      ...(type === 'object'
        ? {}
        : {
            typeOptions: { multipleValues: true, ...(alternatives === undefined ? {} : { sortable: true }) },
          }),
      options: [
        {
          name: OBJECT_VALUES,
          displayName: shownName(field),
          values: entryParameters(field, names),
        },
      ],
      placeholder: addLabel(field),
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

function parameterOf(field: DescribedField, names: FieldNames): INodeProperties {
  return {
    displayName: shownName(field),
    name: field.parameter ?? field.field,
    description: describe(field, names),
    ...kindOf(field, names),
    ...(field.example === undefined ? {} : { placeholder: `e.g. ${field.example}` }),
    ...(field.hint === undefined ? {} : { hint: field.hint }),
  };
}

/**
 * The editor's names of the fields of a request, and of the parts of its objects. A part is listed by itself and with
 * its field, such as "clip.width", because two parts may have the same name.
 */
export function namesOfFields(fields: readonly ContractField[]): FieldNames {
  const parts = fields.flatMap(({ field, fields: own = [] }) =>
    own.flatMap((part) =>
      [part.field, `${field}.${part.field}`].map((name) => [name, shownName(part)] as const),
    ),
  );
  return new Map([...parts, ...fields.map((field) => [field.field, shownName(field)] as const)]);
}

/** The parameters for the fields of a request. */
export function contractFields(fields: readonly ContractField[]): RequestField[] {
  const names = namesOfFields(fields);
  return fields.map((field) => contractField(field, names));
}

function contractField(field: ContractField, names: FieldNames): RequestField {
  const { isOption, isRequired, keepsLastSpace = false, alternatives } = field;
  return {
    field: field.field,
    isOption,
    isRecord: field.type === 'record',
    keepsLastSpace,
    ...(alternatives === undefined ? {} : { alternatives }),
    parameter: { ...parameterOf(field, names), ...(isRequired ? { required: true } : {}) },
  };
}
