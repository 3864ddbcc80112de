import type { Account } from '../../../accounts/account.js';
import type { Share } from '../../../capture/slots.js';
import type { FormProblems } from '../../form-fields.js';
import { Field } from '../../layout/field.js';
import { Form } from '../../layout/form.js';
import { accountPath } from './account-paths.js';

/** An account's limits as they were typed, and why they were not taken. */
export interface RefusedAccountLimits {
  readonly captures: string;
  readonly problems: FormProblems;
}

interface AccountLimitsFormProps {
  readonly account: Account;
  /** What the server is set to; undefined where the number of accounts decides. */
  readonly defaultShare: Share | undefined;
  readonly refused: RefusedAccountLimits | undefined;
}

function shareWords(share: Share | undefined): string {
  if (share === undefined) return 'all places but one, or all while no other account is enabled';
  return share === 'whole' ? 'unlimited' : share.toLocaleString('en-GB');
}

/** The limits of an account, to be changed. */
export function AccountLimitsForm({ account, defaultShare, refused }: AccountLimitsFormProps) {
  return (
    <Form action={`${accountPath(account.id)}/limits`} class="stack operator-form">
      <Field
        name="captures"
        label="Captures at the same time"
        hint={`A whole number of at least 1, "unlimited", or "default": ${shareWords(defaultShare)}.`}
        autocomplete="off"
        required
        value={refused?.captures ?? String(account.captures)}
        problems={refused?.problems}
      />
      <button type="submit" class="secondary">
        Set captures
      </button>
    </Form>
  );
}
