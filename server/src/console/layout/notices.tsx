import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { usePageState } from './page-state.js';

/** Which postcode directory answers, and what to do where it is the sample; undefined command where nothing is. */
export function describeDirectory({ isSample, edition, rows }: DirectoryInfo): {
  readonly words: string;
  readonly command: string | undefined;
} {
  const count = rows.toLocaleString('en-GB');
  return isSample
    ? {
        words: `Only the sample directory of ${count} postcodes is loaded. The operator imports the whole one with`,
        command: 'npx signpost postcodes import FILE',
      }
    : { words: `Postcode directory: ${edition}, ${count} postcodes.`, command: undefined };
}

/** Says which postcode directory answers; a warning where it is the sample. */
export function DirectoryNotice({ info }: { readonly info: DirectoryInfo }) {
  const { words, command } = describeDirectory(info);
  if (command === undefined) return <p>{words}</p>;
  return (
    <p class="notice">
      {words} <code>{command}</code>.
    </p>
  );
}

interface DoneNoticeProps {
  /** The sentence of each code that may stand in the address as `done`. */
  readonly sentences: ReadonlyMap<string, string>;
}

/** Says what was done just before this page. */
export function DoneNotice({ sentences }: DoneNoticeProps) {
  const sentence = sentences.get(usePageState().doneCode);
  if (sentence === undefined) return null;
  return (
    <p class="notice good" role="status">
      {sentence}
    </p>
  );
}
