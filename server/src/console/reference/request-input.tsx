import { LIMITS } from '@signpost/contract';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import { Labelled, describedBy } from '../layout/form.js';
import { hasTextValues, type JsonSchema, typedText } from '../request/json-schema.js';
import type { RequestField } from '../request/request-fields.js';
import type { FormState } from '../request/form-state.js';
import { fieldRows, rowOf } from './field-rows.js';

const idOf = (name: string) => `field-${name.replace('.', '-')}`;

const TEXT_ROWS = 4;

const hasNames = ({ properties = {} }: JsonSchema, ...names: readonly string[]): boolean =>
  names.every((name) => properties[name] !== undefined);

/** Whether a list entry is an object that can only be entered as JSON, because it has no short notation. */
const isWrittenAsJson = (entry: JsonSchema | undefined): boolean =>
  entry?.properties !== undefined && !hasNames(entry, 'name', 'value') && !hasNames(entry, 'latitude');

/** The first example of a field, written as a person would enter it; undefined if the field has none. */
function exampleOf({ examples = [], items }: JsonSchema): string | undefined {
  const [example] = examples;
  const entries: unknown[] = Array.isArray(example) ? example : [example];
  const texts = entries.map((entry) => {
    if (typeof entry !== 'object' || entry === null) return entry === undefined ? '' : typedText(entry);
    if (isWrittenAsJson(items)) return JSON.stringify(entry);
    if ('name' in entry && 'value' in entry) return `${String(entry.name)}=${String(entry.value)}`;
    if ('latitude' in entry) return Object.values(entry).join(', ');
    return Object.entries(entry)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\n');
  });
  return texts.join('\n') || undefined;
}

/** How to enter the value of a field of the kind `lines` or `names`; undefined for fields of other kinds. */
function writing({ kind, schema }: RequestField): string | undefined {
  const { items } = schema;
  if (kind === 'names')
    return hasTextValues(schema)
      ? 'One per line: a name, a colon and the value.'
      : 'One per line: a name, a colon and the value, such as fullPage: true; a text that looks like a number in quotes. Or all of it as JSON.';
  if (kind !== 'lines') return undefined;
  if (items !== undefined && hasNames(items, 'name', 'value')) return 'One per line, as name=value; path=/.';
  if (isWrittenAsJson(items)) return 'One per line, each as JSON, such as {"click": "text=Sign in"}.';
  return 'One per line.';
}

/** The facts of a field for programmers: its type, limits, default … as text, and the fields of a list's entries. */
const factsOf = memoizeByObject(({ name, kind, schema, isRequired }: RequestField) => {
  const row = rowOf(name, schema, isRequired);
  const facts = [
    isRequired ? `${row.type}, required` : `${row.type}, optional`,
    row.limits,
    row.pattern === undefined ? undefined : `matches ${row.pattern}`,
    kind === 'choice' || row.values.length === 0 ? undefined : `one of ${row.values.join(', ')}`,
    row.default === undefined ? undefined : `default ${row.default}`,
  ];
  const entry = kind === 'lines' ? fieldRows({ properties: { [name]: schema } }).slice(1) : [];
  return { text: facts.filter((fact) => fact !== undefined).join(', '), entry };
});

function FieldFacts({ field }: { readonly field: RequestField }) {
  const { text, entry } = factsOf(field);
  return (
    <p class="field-facts">
      <code>{field.name}</code> {text}
      {entry.map(({ path, type, limits, description }) => (
        <span>
          <code>{path}</code> {limits === undefined ? type : `${type}, ${limits}`}. {description}
        </span>
      ))}
    </p>
  );
}

interface InputProps {
  readonly field: RequestField;
  readonly state: FormState;
  /** The problem with the entered value, if any. */
  readonly problem: string | undefined;
}

const shownText = ({ name, schema, isSecret }: RequestField, state: FormState): string =>
  isSecret ? '' : (state[name] ?? (schema.default === undefined ? '' : typedText(schema.default)));

function Choice({ field, state, attributes }: InputProps & { readonly attributes: object }) {
  const { schema } = field;
  const chosen = shownText(field, state);
  return (
    <select {...attributes}>
      {schema.default === undefined ? <option value="">Unset</option> : null}
      {(schema.enum ?? []).map(String).map((value) => (
        <option value={value} selected={value === chosen}>
          {value}
        </option>
      ))}
    </select>
  );
}

function Control(props: InputProps & { readonly attributes: object }) {
  const { field, state, attributes } = props;
  const { kind, schema } = field;
  const placeholder = exampleOf(schema);
  const maxlength = Math.min(schema.maxLength ?? Infinity, LIMITS.urlCharacters.max);
  if (kind === 'choice') return <Choice {...props} />;
  if (['long', 'lines', 'names'].includes(kind))
    return (
      <textarea
        {...attributes}
        rows={TEXT_ROWS}
        maxlength={maxlength}
        placeholder={placeholder}
        spellcheck={false}
      >
        {shownText(field, state)}
      </textarea>
    );
  const isNumber = kind === 'number';
  const shape: object = isNumber
    ? {
        type: 'number',
        min: schema.minimum,
        max: schema.maximum,
        step: schema.type === 'integer' ? 1 : 'any',
      }
    : {
        type: schema.format === 'password' ? 'password' : 'text',
        maxlength,
        autocapitalize: 'none',
        spellcheck: false,
      };
  return <input {...attributes} {...shape} value={shownText(field, state)} placeholder={placeholder} />;
}

/** A field with its label and hint and, after a rejection, its problem. */
function TypedField({ field, state, problem }: InputProps) {
  const id = idOf(field.name);
  const hint = [field.hint, writing(field)].filter((part) => part !== undefined).join(' ');
  const attributes = {
    id,
    name: field.name,
    required: field.isRequired,
    autocomplete: field.schema.format === 'password' ? 'new-password' : 'off',
    ...describedBy(id, hint, problem),
    'data-secret': field.isSecret ? '' : undefined,
    'data-postcode': isPostcode(field) ? '' : undefined,
  };
  return (
    <Labelled id={id} label={field.label} hint={hint} problem={problem}>
      <Control field={field} state={state} problem={problem} attributes={attributes} />
      <FieldFacts field={field} />
    </Labelled>
  );
}

const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z\d]*$/u;

/** Whether the field accepts a postcode or the beginning of one, judging by its example. */
const isPostcode = ({ kind, schema }: RequestField): boolean =>
  kind === 'text' && POSTCODE.test(typedText(schema.examples?.[0] ?? ''));

/**
 * A checkbox. A hidden input always sends "no" before it, so that an unticked checkbox differs from one that the form
 * does not have.
 */
function Tick({ field, state }: InputProps) {
  const { name, hint, label, schema } = field;
  const isTicked = (state[name] ?? (schema.default === true ? 'yes' : 'no')) === 'yes';
  return (
    <div class="check">
      <input type="hidden" name={name} value="no" />
      <input id={idOf(name)} name={name} type="checkbox" value="yes" checked={isTicked} />
      <div>
        <label for={idOf(name)}>{hint?.replace(/\.$/u, '') ?? label}</label>
        <FieldFacts field={field} />
      </div>
    </div>
  );
}

function Ticks({ field, state }: InputProps) {
  const { name, label, hint, schema } = field;
  const ticked = (state[name] ?? '').split('\n');
  return (
    <fieldset class="ticks">
      <legend>{label}</legend>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {(schema.items?.enum ?? []).map(String).map((value) => (
        <div class="check">
          <input
            id={`${idOf(name)}-${value}`}
            name={name}
            type="checkbox"
            value={value}
            checked={ticked.includes(value)}
          />
          <label for={`${idOf(name)}-${value}`}>{value}</label>
        </div>
      ))}
      <FieldFacts field={field} />
    </fieldset>
  );
}

export function RequestInput(props: InputProps) {
  const { field, state } = props;
  if (field.kind === 'tick') return <Tick {...props} />;
  if (field.kind === 'ticks') return <Ticks {...props} />;
  if (field.kind !== 'parts') return <TypedField {...props} />;
  return (
    <fieldset class="parts">
      <legend>{field.label}</legend>
      {field.hint === undefined ? null : <p class="hint">{field.hint}</p>}
      {props.problem === undefined ? null : <p class="problem">{props.problem}</p>}
      <FieldFacts field={field} />
      <div class="fields">
        {field.parts.map((part) => (
          <TypedField
            field={{ ...part, isRequired: false, isSecret: field.isSecret }}
            state={state}
            problem={undefined}
          />
        ))}
      </div>
    </fieldset>
  );
}
