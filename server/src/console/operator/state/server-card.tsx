import { VERSION } from '../../../version.js';
import type { ConsoleParts } from '../../console-parts.js';
import { limitWords } from '../../keys/limit-words.js';
import { ACCOUNTS_PATH } from '../accounts/account-paths.js';
import { RETURN_URLS_PATH } from '../return-urls/return-url-paths.js';

interface ServerCardProps {
  readonly parts: Pick<ConsoleParts, 'defaultLimits' | 'isSignUpOpen' | 'publicUrl'>;
  readonly accountCount: number;
  readonly returnUrlCount: number;
}

/** How this server is set up. */
export function ServerCard({ parts, accountCount, returnUrlCount }: ServerCardProps) {
  return (
    <li class="card">
      <h2>Server</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{VERSION}</dd>
        <dt>Address</dt>
        <dd class="operator-program">{parts.publicUrl()}</dd>
        <dt>Sign-up</dt>
        <dd>
          {parts.isSignUpOpen ? (
            <span class="badge good">open</span>
          ) : (
            <>
              <span class="badge">closed</span> operators make the accounts
            </>
          )}
        </dd>
        <dt>Limits of a key</dt>
        <dd>{limitWords(parts.defaultLimits)}, where it has none of its own</dd>
        <dt>Accounts</dt>
        <dd>
          <a href={ACCOUNTS_PATH}>{accountCount.toLocaleString('en-GB')}</a>
        </dd>
        <dt>Return URLs</dt>
        <dd>
          <a href={RETURN_URLS_PATH}>{returnUrlCount.toLocaleString('en-GB')}</a>
        </dd>
      </dl>
    </li>
  );
}
