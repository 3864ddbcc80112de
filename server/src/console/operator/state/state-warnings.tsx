import type { CaptureState } from '../../../capture/capture-service.js';
import type { DirectoryInfo } from '../../../postcodes/directory-info.js';
import { directoryWords } from '../../directory-words.js';

interface StateWarningsProps {
  readonly directory: DirectoryInfo;
  readonly browser: CaptureState['browser'];
  readonly isProxyIgnored: boolean;
}

/** What the operator should put right, and how. */
export function StateWarnings({ directory, browser, isProxyIgnored }: StateWarningsProps) {
  const { command } = directoryWords(directory);
  return (
    <>
      {browser === 'down' ? (
        <p class="notice danger">
          The browser is down, so captures are refused. <code>npx signpost doctor</code> says what is wrong.
        </p>
      ) : null}
      {isProxyIgnored ? (
        <p class="notice danger">
          Requests come by a reverse proxy, and <code>SIGNPOST_TRUST_PROXY</code> is empty: limits per address
          take all callers of the proxy for one. Set it to the address that the proxy connects from, and start
          the server again.
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
