import type { ComponentChildren } from 'preact';
import type { List } from './list.js';

interface FilterFormProps {
  readonly list: Pick<List, 'path' | 'sortText' | 'isFiltered'>;
  readonly children: ComponentChildren;
}

/** Fields that filter a list, sent in the list's address. */
export const FilterForm = ({ list, children }: FilterFormProps) => (
  <form action={list.path} role="search" aria-label="Filter" class="filters row">
    {list.sortText === '' ? null : <input type="hidden" name="sort" value={list.sortText} />}
    {children}
    <button type="submit" class="secondary">
      Filter
    </button>
    {list.isFiltered ? (
      <a class="button quiet" href={list.path}>
        Show all
      </a>
    ) : null}
  </form>
);

/** Longer than any name. */
const MAX_SHOWN_CHARACTERS = 300;

interface SearchFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

export const SearchField = ({ name, label, value }: SearchFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="search" value={value.slice(0, MAX_SHOWN_CHARACTERS)} />
  </div>
);

/** An input for a day in UTC. */
export const DayField = ({ name, label, value }: SearchFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="date" value={value} />
  </div>
);

/** An input for a minute in UTC. */
export const TimeField = ({ name, label, value }: SearchFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="datetime-local" value={value} />
  </div>
);

interface ChoiceFieldProps extends SearchFieldProps {
  /** The label of the option that does not filter. */
  readonly any: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export const ChoiceField = ({ name, label, value: chosen, any, choices }: ChoiceFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">{any}</option>
      {choices.map(([value, words]) => (
        <option key={value} value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  </div>
);
