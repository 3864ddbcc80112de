import type { ComponentChildren } from 'preact';

interface SearchFormProps {
  readonly action: string;
  /** The beginning of the ids and of the CSS class. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly words: string;
  readonly children?: ComponentChildren;
}

/** A search field with its button. The words are in the query of the page, as `q`. */
export const SearchForm = ({ action, name, label, placeholder, words, children }: SearchFormProps) => (
  <form action={action} role="search" class={`filters row ${name}-search`} id={`${name}-search`}>
    <div class="field">
      <label for={`${name}-words`}>{label}</label>
      <input id={`${name}-words`} name="q" type="search" placeholder={placeholder} value={words} />
    </div>
    <button type="submit">Search</button>
    {children}
  </form>
);
