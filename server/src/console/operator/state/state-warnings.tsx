import type { CaptureState } from '../../../capture/capture-service.js';
import type { DirectoryInfo } from '../../../postcodes/directory-info.js';
import { directoryWords } from '../../directory-words.js';

interface StateWarningsProps {
  readonly directory: DirectoryInfo;
  readonly browser: CaptureState['browser'];
}

/** What the operator should put right, and how. */
export function StateWarnings({ directory, browser }: StateWarningsProps) {
  const { command } = directoryWords(directory);
  return (
    <>
      {browser === 'down' ? (
        <p class="notice danger">
          The browser is down, so captures are refused. <code>npx signpost doctor</code> says what is wrong.
        </p>
      ) : null}
      {command === undefined ? null : (
        <p class="notice">
          Only the built-in sample of {directory.rows.toLocaleString('en-GB')} postcodes is loaded; all others
          are unknown. Import the whole directory with <code>{command}</code>: it is taken up without a
          restart.
        </p>
      )}
    </>
  );
}
