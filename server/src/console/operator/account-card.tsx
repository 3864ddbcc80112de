import type { Account } from '../../accounts/account.js';
import type { CaptureQuota } from '../../capture/fair-queue.js';
import type { Limits } from '../../usage/rate-limit.js';
import { formatLimit } from '../keys/key-display.js';
import { Field, Form, ButtonForm, Submit } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { accountPath } from './account-route.js';
import { Facts } from '../layout/facts.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';

export const AccountBadges = ({ account }: { readonly account: Account }) => (
  <span class="operator-badges">
    {account.disabledAtMs === null ? null : <span class="badge danger">Disabled</span>}
    {account.isOperator ? <span class="badge">Operator</span> : null}
    {account.hasApiAccess ? <span class="badge good">API access</span> : null}
    {account.mustChangePassword ? <span class="badge warn">Password not chosen</span> : null}
  </span>
);

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

const otherState = (isOn: boolean) => ({ state: isOn ? 'off' : 'on' });

export function AccountActions({ account, isOwn }: { readonly account: Account; readonly isOwn: boolean }) {
  const path = accountPath(account.id);
  const isDisabled = account.disabledAtMs !== null;
  return (
    <>
      <div class="actions">
        {isOwn && <Actions links={[['/password', 'Change your password']]} />}
        {!isOwn && !isDisabled && <Actions links={[[`${path}/password-link`, 'Make a password link']]} />}
        <ButtonForm action={`${path}/api-access`} sends={otherState(account.hasApiAccess)}>
          {account.hasApiAccess ? 'Turn API access off' : 'Turn API access on'}
        </ButtonForm>
        {!isOwn && !isDisabled && <Actions links={[[`${path}/disable`, 'Disable', 'destructive']]} />}
        {!isOwn && isDisabled && (
          <ButtonForm action={`${path}/enable`} look="">
            Enable
          </ButtonForm>
        )}
      </div>
      {isOwn && (
        <p class="muted operator-why">
          This is your own account: only another operator can disable it, or make it an ordinary account.
        </p>
      )}
    </>
  );
}

/** The actions on an account that operators seldom need. Deletion is apart from the other actions. */
export function RareActions({ account }: { readonly account: Account }) {
  const path = accountPath(account.id);
  return (
    <Card id="rare" title="Rarely needed">
      <div class="actions">
        <Actions
          links={[
            [`${path}/new-password`, 'Set a new password'],
            account.hasSecondFactor && [
              `${path}/second-factor-off`,
              'Turn off the second factor',
              'destructive',
            ],
          ]}
        />
        <ButtonForm action={`${path}/operator`} sends={otherState(account.isOperator)}>
          {account.isOperator ? 'Make it an ordinary account' : 'Make it an operator'}
        </ButtonForm>
      </div>
      <hr />
      <p class="muted">Its projects, keys, tokens and usage are deleted with an account.</p>
      <Actions links={[[`${path}/delete`, 'Delete the account…', 'destructive']]} />
    </Card>
  );
}

interface AccountLimitsFormProps {
  readonly account: Account;
  readonly defaultLimits: Limits;
  /**
   * The configured capture quota; undefined if none is configured, and the quota depends on whether other accounts are
   * enabled.
   */
  readonly defaultQuota: CaptureQuota | undefined;
}

function formatQuota(quota: CaptureQuota | undefined): string {
  if (quota === undefined) return 'all slots but one, or all while no other account is enabled';
  if (quota === 'allButOne') return 'all slots but one';
  return quota === 'whole' ? 'unlimited' : formatCount(quota);
}

export function AccountLimitsForm({ account, defaultLimits, defaultQuota }: AccountLimitsFormProps) {
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
            name={name}
            label={label}
            hint={standard}
            autocomplete="off"
            required
            value={String(account[name])}
          />
        ))}
        <Submit>Set the limits of the account</Submit>
      </div>
    </Form>
  );
}
