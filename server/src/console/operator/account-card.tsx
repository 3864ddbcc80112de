import type { Account } from '../../accounts/account.js';
import type { CaptureQuota } from '../../capture/fair-queue.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { accountPath } from './account-route.js';
import { Facts } from '../layout/facts.js';

/** The notable states of an account, in short. */
export function AccountBadges({ account }: { readonly account: Account }) {
  return (
    <span class="operator-badges">
      {account.disabledAtMs === null ? null : <span class="badge danger">Disabled</span>}
      {account.isOperator ? <span class="badge">Operator</span> : null}
      {account.hasApiAccess ? <span class="badge good">API access</span> : null}
      {account.mustChangePassword ? <span class="badge warn">Password not chosen</span> : null}
    </span>
  );
}

/** The facts about an account. */
export const AccountFacts = ({ account }: { readonly account: Account }) => (
  <Facts
    facts={[
      ['Name', account.name ?? <span class="muted">none</span>],
      ['Identifier', <code>{account.id}</code>],
      ['Created', <Timestamp timeMs={account.createdAtMs} />],
      [
        'API access',
        account.hasApiAccess
          ? 'on: may use the tokens of the referral interface'
          : 'off: its tokens are refused',
      ],
      ['Password', account.mustChangePassword ? 'not chosen by the owner yet' : 'chosen by the owner'],
      ['Second factor', account.hasSecondFactor ? 'on: the sign-in asks for a code, too' : 'off'],
      ['Disabled', account.disabledAtMs !== null && <Timestamp timeMs={account.disabledAtMs} />],
    ]}
  />
);

interface AccountActionsProps {
  readonly account: Account;
  /** Whether the account is the viewing operator's own. */
  readonly isOwn: boolean;
}

interface SwitchProps {
  readonly account: Account;
  /** The last part of the path that changes the setting. */
  readonly of: 'api-access' | 'operator';
  readonly isOn: boolean;
  readonly turnOn: string;
  readonly turnOff: string;
}

/** A button that turns a setting of an account on or off. */
const Switch = ({ account, of, isOn, turnOn, turnOff }: SwitchProps) => (
  <Form action={`${accountPath(account.id)}/${of}`}>
    <input type="hidden" name="state" value={isOn ? 'off' : 'on'} />
    <button type="submit" class="secondary">
      {isOn ? turnOff : turnOn}
    </button>
  </Form>
);

/** The actions that an operator often takes on an account. */
export function AccountActions({ account, isOwn }: AccountActionsProps) {
  const path = accountPath(account.id);
  return (
    <>
      <div class="actions">
        {isOwn ? (
          <a class="button secondary" href="/password">
            Change your password
          </a>
        ) : null}
        {isOwn || account.disabledAtMs !== null ? null : (
          <a class="button secondary" href={`${path}/password-link`}>
            Make a password link
          </a>
        )}
        <Switch
          account={account}
          of="api-access"
          isOn={account.hasApiAccess}
          turnOn="Turn API access on"
          turnOff="Turn API access off"
        />
        {isOwn ? null : account.disabledAtMs === null ? (
          <a class="button destructive" href={`${path}/disable`}>
            Disable
          </a>
        ) : (
          <Form action={`${path}/enable`}>
            <button type="submit">Enable</button>
          </Form>
        )}
      </div>
      {isOwn ? (
        <p class="muted operator-why">
          This is your own account: only another operator can disable it, or make it an ordinary account.
        </p>
      ) : null}
    </>
  );
}

/** The actions on an account that operators seldom need. Deletion is apart from the other actions. */
export function RareActions({ account }: { readonly account: Account }) {
  const path = accountPath(account.id);
  return (
    <section class="card" aria-labelledby="rare">
      <h2 id="rare">Rarely needed</h2>
      <div class="actions">
        <a class="button secondary" href={`${path}/new-password`}>
          Set a new password
        </a>
        {account.hasSecondFactor ? (
          <a class="button destructive" href={`${path}/second-factor-off`}>
            Turn off the second factor
          </a>
        ) : null}
        <Switch
          account={account}
          of="operator"
          isOn={account.isOperator}
          turnOn="Make it an operator"
          turnOff="Make it an ordinary account"
        />
      </div>
      <hr />
      <p class="muted">Its projects, keys, tokens and usage are deleted with an account.</p>
      <p class="actions">
        <a class="button destructive" href={`${path}/delete`}>
          Delete the account…
        </a>
      </p>
    </section>
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
  const fields = [
    ['perMinute', 'Requests per minute', formatLimit(defaultLimits.perMinute)],
    ['perDay', 'Requests per day (UTC)', formatLimit(defaultLimits.perDay)],
    ['captures', 'Captures at the same time', formatQuota(defaultQuota)],
  ] as const;
  return (
    <Form action={`${accountPath(account.id)}/limits`}>
      <p class="muted">
        A whole number, <code>unlimited</code>, or <code>default</code>, which is the value below each name.
      </p>
      <div class="row">
        {fields.map(([name, label, standard]) => (
          <Field
            key={name}
            name={name}
            label={label}
            hint={standard}
            autocomplete="off"
            required
            value={String(account[name])}
            problems={problems}
          />
        ))}
        <button type="submit" class="secondary">
          Set the limits of the account
        </button>
      </div>
    </Form>
  );
}
