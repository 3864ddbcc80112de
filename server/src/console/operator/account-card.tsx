import type { Account } from '../../accounts/account.js';
import type { CaptureQuota } from '../../capture/fair-queue.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { accountPath } from './account-route.js';

/** The notable states of an account, in short. */
export function AccountBadges({ account }: { readonly account: Account }) {
  return (
    <span class="operator-badges">
      {account.disabledAtMs === null ? null : <span class="badge danger">Disabled</span>}
      {account.isOperator ? <span class="badge">Operator</span> : null}
      {account.hasApiAccess ? <span class="badge good">API access</span> : null}
      {account.mustChangePassword ? <span class="badge warn">No password of its own</span> : null}
    </span>
  );
}

/** The facts about an account. */
export function AccountFacts({ account }: { readonly account: Account }) {
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd>{account.name ?? <span class="muted">none</span>}</dd>
      <dt>Identifier</dt>
      <dd>
        <code>{account.id}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <Timestamp timeMs={account.createdAtMs} />
      </dd>
      <dt>API access</dt>
      <dd>
        {account.hasApiAccess
          ? 'on: may use the tokens of the referral interface'
          : 'off: its tokens are refused'}
      </dd>
      <dt>Password</dt>
      <dd>{account.mustChangePassword ? 'not chosen by the owner yet' : 'chosen by the owner'}</dd>
      <dt>Second factor</dt>
      <dd>{account.hasSecondFactor ? 'on: the sign-in asks for a code, too' : 'off'}</dd>
      {account.disabledAtMs === null ? null : (
        <>
          <dt>Disabled</dt>
          <dd>
            <Timestamp timeMs={account.disabledAtMs} />
          </dd>
        </>
      )}
    </dl>
  );
}

interface AccountActionsProps {
  readonly account: Account;
  /** Whether the account is the viewing operator's own. */
  readonly isOwn: boolean;
}

function ApiAccessButton({ account }: { readonly account: Account }) {
  return (
    <Form action={`${accountPath(account.id)}/api-access`}>
      <input type="hidden" name="state" value={account.hasApiAccess ? 'off' : 'on'} />
      <button type="submit" class="secondary">
        {account.hasApiAccess ? 'Turn API access off' : 'Turn API access on'}
      </button>
    </Form>
  );
}

function OperatorButton({ account }: { readonly account: Account }) {
  return (
    <Form action={`${accountPath(account.id)}/operator`}>
      <input type="hidden" name="state" value={account.isOperator ? 'off' : 'on'} />
      <button type="submit" class="secondary">
        {account.isOperator ? 'Make it an ordinary account' : 'Make it an operator'}
      </button>
    </Form>
  );
}

/** The actions that an operator may take on an account. */
export function AccountActions({ account, isOwn }: AccountActionsProps) {
  const path = accountPath(account.id);
  if (isOwn) {
    return (
      <>
        <div class="actions">
          <ApiAccessButton account={account} />
          <a class="button secondary" href="/password">
            Change your password
          </a>
        </div>
        <p class="muted operator-why">
          This is your own account: only another operator can disable it, or make it an ordinary account.
        </p>
      </>
    );
  }
  return (
    <div class="actions">
      <ApiAccessButton account={account} />
      <OperatorButton account={account} />
      {account.disabledAtMs === null ? (
        <a class="button secondary" href={`${path}/password-link`}>
          Make a password link
        </a>
      ) : null}
      <a class="button secondary" href={`${path}/new-password`}>
        Set a new password
      </a>
      {account.hasSecondFactor ? (
        <a class="button destructive" href={`${path}/second-factor-off`}>
          Turn off the second factor
        </a>
      ) : null}
      {account.disabledAtMs === null ? (
        <a class="button destructive" href={`${path}/disable`}>
          Disable
        </a>
      ) : (
        <Form action={`${path}/enable`}>
          <button type="submit">Enable</button>
        </Form>
      )}
      <a class="button destructive" href={`${path}/delete`}>
        Delete
      </a>
    </div>
  );
}

interface AccountLimitsFormProps {
  readonly account: Account;
  readonly defaultLimits: Limits;
  /** The configured quota; undefined if it depends on the number of accounts. */
  readonly defaultQuota: CaptureQuota | undefined;
  readonly problems: FormProblems | undefined;
}

function formatQuota(quota: CaptureQuota | undefined): string {
  if (quota === undefined) return 'all slots but one, or all while no other account is enabled';
  if (quota === 'allButOne') return 'all slots but one';
  return quota === 'whole' ? 'unlimited' : formatCount(quota);
}

const formatLimit = (limit: number | null) => (limit === null ? 'unlimited' : formatCount(limit));

/** A form for the limits of an account. */
export function AccountLimitsForm({
  account,
  defaultLimits,
  defaultQuota,
  problems,
}: AccountLimitsFormProps) {
  const hint = (limit: number | null) =>
    `A whole number, "unlimited", or "default" (${formatLimit(limit)} now).`;
  return (
    <Form action={`${accountPath(account.id)}/limits`} class="stack operator-form">
      <Field
        name="perMinute"
        label="Requests per minute of all keys together"
        hint={hint(defaultLimits.perMinute)}
        autocomplete="off"
        required
        value={String(account.perMinute)}
        problems={problems}
      />
      <Field
        name="perDay"
        label="Requests per day (UTC) of all keys together"
        hint={hint(defaultLimits.perDay)}
        autocomplete="off"
        required
        value={String(account.perDay)}
        problems={problems}
      />
      <Field
        name="captures"
        label="Captures at the same time"
        hint={`A whole number of at least 1, "unlimited", or "default" (${formatQuota(defaultQuota)} now).`}
        autocomplete="off"
        required
        value={String(account.captures)}
        problems={problems}
      />
      <button type="submit" class="secondary">
        Set the limits of the account
      </button>
    </Form>
  );
}
