import type { DirectoryInfo } from '../../postcodes/directory-info.js';
import { directoryWords } from '../directory-words.js';

/** Says which postcode directory answers; a warning where it is the sample. */
export function DirectoryNotice({ info }: { readonly info: DirectoryInfo }) {
  const { words, command } = directoryWords(info);
  if (command === undefined) return <p>{words}</p>;
  return (
    <p class="notice">
      {words} <code>{command}</code>.
    </p>
  );
}
