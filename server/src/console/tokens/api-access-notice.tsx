import { CopyValue } from '../layout/secret-value.js';
import { shellWord } from './shell-word.js';

/** What an account without API access lacks, and what its owner hands on to the operator. */
export function ApiAccessNotice({ email }: { readonly email: string }) {
  return (
    <>
      <p>
        API access is not enabled for <strong>{email}</strong>, so there are no tokens for it. The operator of
        this server enables it, account by account. Ask for it with this command, which is run where the
        server is installed:
      </p>
      <CopyValue
        id="api-access-command"
        label="the command"
        value={`npx signpost account api-access on --email ${shellWord(email)}`}
      />
      <p class="aside">Once that is done, reload this page.</p>
    </>
  );
}
