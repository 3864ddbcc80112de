import type { DirectoryInfo } from '../postcodes/directory-info.js';

/** Which postcode directory answers, and what to do where it is the sample; undefined command where nothing is. */
export function directoryWords({ isSample, edition, rows }: DirectoryInfo): {
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
