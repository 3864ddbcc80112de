import type { ComponentChildren } from 'preact';
import { type List, withQuery } from './list.js';
import { type Choices, Select } from './select.js';

/** Fields of the address that a form passes on unchanged, if they are not empty. */
export const HiddenFields = ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value === '' ? null : <input key={name} type="hidden" name={name} value={value} />,
    )}
  </>
);

interface FilterFormProps {
  readonly list: Pick<List, 'path' | 'isFiltered'> & Partial<Pick<List, 'sortText'>>;
  /** Fields of the address that stay the same when the list is filtered, and when all of it is shown again. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

/** Fields that filter a list, sent in the list's address. */
export const FilterForm = ({ list, kept = {}, children }: FilterFormProps) => (
  <form action={list.path} role="search" aria-label="Filter" class="filters row">
    <HiddenFields fields={{ sort: list.sortText ?? '', ...kept }} />
    {children}
    <button type="submit" class="secondary">
      Filter
    </button>
    {list.isFiltered ? (
      <a class="button quiet" href={withQuery(list.path, kept)}>
        Show all
      </a>
    ) : null}
  </form>
);

/** A longer search text is cut when it is shown again. No name is this long. */
const MAX_SHOWN_CHARACTERS = 300;

interface SearchFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

interface TypedProps extends SearchFieldProps {
  readonly type?: 'search' | 'date' | 'datetime-local';
}

export function SearchField({ name, label, value, type = 'search' }: TypedProps) {
  // A loose type, because the attributes of the types of inputs differ.
  const input: Readonly<Record<string, string>> = { id: name, name, type };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...input} value={value.slice(0, MAX_SHOWN_CHARACTERS)} />
    </div>
  );
}

/** An input for a day in UTC. */
export const DayField = (props: SearchFieldProps) => <SearchField {...props} type="date" />;

/** An input for a minute in UTC. */
export const TimeField = (props: SearchFieldProps) => <SearchField {...props} type="datetime-local" />;

interface ChoiceFieldProps extends SearchFieldProps {
  /** The label of the option that does not filter. */
  readonly any: string;
  readonly choices: Choices;
}

export const ChoiceField = ({ any, choices, ...field }: ChoiceFieldProps) => (
  <Select {...field} choices={[['', any], ...choices]} />
);
