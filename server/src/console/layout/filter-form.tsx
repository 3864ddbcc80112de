import type { ComponentChildren } from 'preact';
import { HiddenFields, Submit } from './form.js';
import { type List, withQuery } from './list.js';
import { type Choices, Select } from './select.js';

interface FilterFormProps {
  readonly list: Pick<List, 'path' | 'isFiltered'> & Partial<Pick<List, 'sortText'>>;
  /** Fields of the address that stay the same when the list is filtered, and when all of it is shown again. */
  readonly hiddenFields?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

/** Fields that filter a list, sent in the list's address. */
export const FilterForm = ({ list, hiddenFields = {}, children }: FilterFormProps) => (
  <form action={list.path} role="search" aria-label="Filter" class="filters row">
    <HiddenFields fields={{ sort: list.sortText ?? '', ...hiddenFields }} />
    {children}
    <Submit>Filter</Submit>
    {list.isFiltered && (
      <a class="button quiet" href={withQuery(list.path, hiddenFields)}>
        Show all
      </a>
    )}
  </form>
);

/** A longer search text is cut when it is shown again. */
const MAX_SHOWN_CHARACTERS = 300;

interface FilterFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'search' | 'date' | 'datetime-local';
}

/** An input for a text, or for a day or a minute in UTC. */
export function FilterField({ name, label, value, type = 'search' }: FilterFieldProps) {
  // A loose type, because the attributes of the types of inputs differ.
  const input: Readonly<Record<string, string>> = { id: name, name, type };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...input} value={value.slice(0, MAX_SHOWN_CHARACTERS)} />
    </div>
  );
}

interface ChoiceFieldProps extends Omit<FilterFieldProps, 'type'> {
  /** The label of the option that does not filter. */
  readonly any: string;
  readonly choices: Choices;
}

export const ChoiceField = ({ any, choices, ...field }: ChoiceFieldProps) => (
  <Select {...field} choices={[['', any], ...choices]} />
);
