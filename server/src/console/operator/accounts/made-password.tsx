import type { Account } from '../../../accounts/account.js';
import { CopyValue } from '../../layout/secret-value.js';

interface MadePasswordProps {
  readonly account: Account;
  readonly password: string;
}

/** A password that was made, shown this once. */
export function MadePassword({ account, password }: MadePasswordProps) {
  return (
    <section class="card">
      <h2>Password of {account.email}</h2>
      <p class="notice">
        This is the only time that this password is shown: it is stored as a hash alone. Hand it to its owner
        by a way that others cannot read.
      </p>
      <CopyValue id="password" label="password" value={password} />
      <p>It must be changed at the next sign-in.</p>
    </section>
  );
}
