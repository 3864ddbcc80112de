import { IMPORT_LATEST } from '../../postcodes/edition-age.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { usePageState } from './page-state.js';
import { formatCount } from './formatting.js';

/** Which postcode directory answers, and what to do where it is the sample; undefined command where nothing is. */
export function describeDirectory({ isSample, edition, rows }: DirectoryInfo): {
  readonly text: string;
  readonly command: string | undefined;
} {
  const count = formatCount(rows);
  return isSample
    ? {
        text: `Only the sample directory of ${count} postcodes is loaded. The operator imports the whole one with`,
        command: IMPORT_LATEST,
      }
    : { text: `Postcode directory: ${edition}, ${count} postcodes.`, command: undefined };
}

/** Says which postcode directory answers; a warning where it is the sample. */
export function DirectoryNotice({ info }: { readonly info: DirectoryInfo }) {
  const { text, command } = describeDirectory(info);
  if (command === undefined) return <p>{text}</p>;
  return (
    <p class="notice">
      {text} <code>{command}</code>.
    </p>
  );
}

interface DoneNoticeProps {
  /** The sentence of each code that may stand in the address as `done`; "{key}" stands for the key that it was done to. */
  readonly sentences: ReadonlyMap<string, string>;
}

/** Says what was done just before this page. */
export function DoneNotice({ sentences }: DoneNoticeProps) {
  const { doneCode, doneKey } = usePageState();
  const sentence = sentences.get(doneCode)?.replace('{key}', doneKey === '' ? 'key' : `key ${doneKey}…`);
  if (sentence === undefined) return null;
  return (
    <p class="notice good" role="status">
      {sentence}
    </p>
  );
}
