import type { ComponentChildren } from 'preact';
import { IMPORT_LATEST } from '../../postcodes/edition-warnings.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { usePageState } from './page-state.js';
import { formatCount } from './formatting.js';

/** The directory in use. If it is only the sample, warns, and links operators to the import. */
export function DirectoryNotice({ info: { isSample, edition, rows } }: { readonly info: DirectoryInfo }) {
  const { user } = usePageState();
  const count = formatCount(rows);
  if (!isSample) return <p>{`Postcode directory: ${edition}, ${count} postcodes.`}</p>;
  const isOperator = user?.account.isOperator === true;
  return (
    <p class="notice">
      Only the sample directory of {count} postcodes is loaded.{' '}
      {isOperator ? (
        <a href="/operator/directory">Import the whole directory</a>
      ) : (
        <>
          The operator imports the whole one, in the console or with <code>{IMPORT_LATEST}</code>
        </>
      )}
      .
    </p>
  );
}

export function AskOperator() {
  const { contact } = usePageState();
  if (contact === undefined) return <>Ask the operator of this server.</>;
  return (
    <>
      Ask the operator of this server: <a href={contact.href}>{contact.label}</a>.
    </>
  );
}

/** The attributes of an element that gets the keyboard focus when the page loads. */
export const FOCUSED = { tabIndex: -1, autofocus: true };

/** Says what was done. It gets the focus when the page loads, so that screen readers read it. */
export const Done = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="notice good" role="status" {...FOCUSED}>
    {children}
  </p>
);

interface DoneNoticeProps {
  /**
   * The sentence for each value of `done` in the address. "{key}" in it becomes "key" and the first characters of the
   * affected key, or only "key" if the address names none.
   */
  readonly sentences: ReadonlyMap<string, string>;
}

/** Confirms the action that led to this page, if there was one. */
export function DoneNotice({ sentences }: DoneNoticeProps) {
  const { doneCode, doneKey } = usePageState();
  const sentence = sentences.get(doneCode)?.replace('{key}', doneKey === '' ? 'key' : `key ${doneKey}…`);
  if (sentence === undefined) return null;
  return <Done>{sentence}</Done>;
}
