import { Checkbox, Field } from '../layout/form.js';
import { FIELDS_BY_PURPOSE, type CaptureField } from './capture-fields.js';
import { Select } from './key-select.js';
import { isTicked, shownValue, type FormResult } from './form-result.js';

interface OptionProps {
  readonly field: CaptureField;
  readonly result: FormResult | undefined;
}

const given = <Value,>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

/** One option as its schema has it: a box to tick, a choice, a number or a text. */
function Option({ field, result }: OptionProps) {
  const { name, label, hint, option } = field;
  if (option.type === 'boolean')
    return <Checkbox name={name} label={label} isChecked={isTicked(result, name, option.default === true)} />;
  const value = shownValue(result, name, option.default ?? '');
  if (option.enum !== undefined) {
    const unset = option.default === undefined ? [{ value: '', label: 'Unset' }] : [];
    const options = [...unset, ...option.enum.map((choice) => ({ value: choice, label: choice }))];
    return <Select id={name} name={name} label={label} value={value} options={options} />;
  }
  const shape =
    option.type === 'string'
      ? { ...given('placeholder', option.examples?.[0]), ...given('maxlength', option.maxLength) }
      : {
          type: 'number' as const,
          ...given('placeholder', option.examples?.[0]),
          ...given('min', option.minimum),
          ...given('max', option.maximum),
          step: option.type === 'integer' ? 1 : ('any' as const),
        };
  return <Field name={name} label={label} value={value} {...given('hint', hint)} {...shape} />;
}

const isTick = ({ option }: CaptureField) => option.type === 'boolean';
const isTyped = ({ option }: CaptureField) => option.type === 'string' && option.enum === undefined;
const isChosen = (field: CaptureField) => !isTick(field) && !isTyped(field);

interface OptionsProps {
  readonly legend: string;
  readonly class?: string;
  readonly fields: readonly CaptureField[];
  readonly result: FormResult | undefined;
}

/** The options for one purpose: what is chosen and counted, what is ticked, what is typed. */
function Options({ legend, fields, result, class: name }: OptionsProps) {
  if (fields.length === 0) return null;
  const rows = [
    { class: 'fields', fields: fields.filter(isChosen) },
    { class: 'checks', fields: fields.filter(isTick) },
    { class: 'fields', fields: fields.filter(isTyped) },
  ].filter((row) => row.fields.length > 0);
  return (
    <fieldset {...given('class', name)}>
      <legend>{legend}</legend>
      {rows.map((row) => (
        <div key={row.fields[0]?.name} class={row.class}>
          {row.fields.map((field) => (
            <Option key={field.name} field={field} result={result} />
          ))}
        </div>
      ))}
    </fieldset>
  );
}

/** What captures can be asked for with. */
export function CaptureOptions({ result }: { readonly result: FormResult | undefined }) {
  const { page, picture, pdf } = FIELDS_BY_PURPOSE;
  return (
    <>
      <Options legend="Page" fields={page} result={result} />
      <Options legend="Picture" class="for-picture" fields={picture} result={result} />
      <Options legend="PDF" class="for-pdf" fields={pdf} result={result} />
    </>
  );
}
