import { z } from 'zod';
import { askForLimits } from '../../inbox/ask-operator.js';
import type { InboxRequest } from '../../inbox/inbox-request.js';
import { checkText } from '../../inbox/inbox-request.js';
import { listLimitRequests } from '../../inbox/inbox.js';
import { findKey, listKeys } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { limitsInForce } from '../../usage/read-key-usage.js';
import { type Limit, parseLimit } from '../../platform/limit.js';
import type { Limits } from '../../usage/rate-limit.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { Select } from '../layout/select.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { formatAskedLimits, formatLimits } from './key-display.js';
import { OVERVIEW } from '../layout/page-layout.js';

const PATH = '/higher-limits';

interface AskedLimits {
  readonly perMinute: Limit;
  readonly perDay: Limit;
}

/** The path of the form that asks for higher limits of a key or, without an id, of the whole account. */
export const higherLimitsPath = (keyId?: number) => (keyId === undefined ? PATH : `${PATH}?key=${keyId}`);

const DONE = new Map([['asked', 'The operator has your request. You will see the answer here.']]);

const KeyChoice = ({ keys, chosen }: { readonly keys: readonly Key[]; readonly chosen: string }) => (
  <Select
    name="key"
    label="For"
    value={chosen}
    choices={[
      ...keys.map(({ id, prefix, projectName }) => [String(id), `Key ${prefix}… (${projectName})`] as const),
      ['', 'All my keys together'],
    ]}
  />
);

const STATES = { approved: 'good', refused: 'danger' } as const;

function SentRequests({ requests }: { readonly requests: readonly InboxRequest[] }) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">What you asked for</h2>
      <ul class="asked">
        {requests.map(({ id, key, outcome, answer, askedAtMs, ...limits }) => (
          <li key={id} class="card">
            <p>
              <span class={`badge ${outcome === null ? 'warn' : STATES[outcome]}`}>
                {outcome ?? 'waiting'}
              </span>{' '}
              <strong>{formatAskedLimits(limits)}</strong> for{' '}
              {key === null ? 'all keys together' : <code>{key.prefix}…</code>}
            </p>
            {answer === null ? null : (
              <p class="asked-answer" dir="auto">
                {answer}
              </p>
            )}
            <p class="muted">
              Asked for on <Timestamp timeMs={askedAtMs} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function showForm(context: SignedInContext, problems?: FormProblems) {
  const { defaultLimits, accountLimits } = context.deps;
  const { account } = context.user;
  const { id } = account;
  const [live, requests] = await Promise.all([
    listKeys(context.domain, id, 'notEnded'),
    listLimitRequests(context.domain, id),
  ]);
  const chosen = problems?.typed.key ?? formFields(context.request.query, ['key']).key;
  const together = limitsInForce(account, accountLimits);
  const isUnlimited = together.perMinute === null && together.perDay === null;
  // Preselects a key if all keys together have no limit, because no higher limit can be requested for them then.
  const first = problems === undefined && chosen === '' && isUnlimited ? live[0] : undefined;
  const key = live.find((own) => String(own.id) === chosen) ?? first;
  const limits = key === undefined ? together : limitsInForce(key, defaultLimits);
  return context.render(
    { crumbs: [OVERVIEW], title: 'Ask for higher limits', width: 'narrow', problems },
    <>
      <h1>Ask for higher limits</h1>
      <DoneNotice sentences={DONE} />
      <FormAlert problems={problems} />
      <Form action={PATH} class="stack">
        <KeyChoice keys={live} chosen={key === undefined ? '' : String(key.id)} />
        <Field
          name="perMinute"
          label="Requests per minute"
          hint={`More than now: a whole number, or "unlimited". A new key has ${formatLimits(defaultLimits)}.`}
          autocomplete="off"
          required
          value={String(limits.perMinute ?? 'unlimited')}
          problems={problems}
        />
        <Field
          name="perDay"
          label="Requests per day (UTC)"
          autocomplete="off"
          required
          value={String(limits.perDay ?? 'unlimited')}
          problems={problems}
        />
        <Field name="reason" rows={3} label="What you need them for (optional)" problems={problems} />
        <button type="submit">Send the request</button>
      </Form>
      <SentRequests requests={requests} />
    </>,
  );
}

/**
 * The id of the key that the form names, null for all keys together. Throws a ServiceError for somebody
 * else's key.
 */
async function keyIdOf({ domain, user }: SignedInContext, text: string): Promise<number | null> {
  if (text === '') return null;
  const key = /^[1-9]\d{0,9}$/u.test(text) ? await findKey(domain, user.account.id, Number(text)) : undefined;
  if (key !== undefined && isLive(key)) return key.id;
  throw new ServiceError('notFound', 'You have no such live key. Yours are in the overview.');
}

/** Parses a requested limit. Throws a ServiceError if it is below the current one. */
function parseAsked(text: string, now: number | null): Limit {
  const limit = parseLimit(text);
  const isLess = limit === 'unlimited' ? false : limit === 'default' || now === null || limit < now;
  if (!isLess) return limit;
  throw new ServiceError(
    'invalidRequest',
    now === null
      ? 'There is no limit now, so no number is higher: write "unlimited".'
      : `Ask for at least the ${formatCount(now)} that you have now, or "unlimited".`,
  );
}

const formFor = ({ perMinute, perDay }: Limits) =>
  z.object({
    perMinute: field((text) => parseAsked(text, perMinute)),
    perDay: field((text) => parseAsked(text, perDay)),
    reason: field(checkText),
  });

/** Throws a ServiceError if the requested limits are the current ones. */
function refuseSame(asked: AskedLimits, now: Limits): void {
  const isSame = (limit: Limit, of: number | null) => limit === (of ?? 'unlimited');
  if (isSame(asked.perMinute, now.perMinute) && isSame(asked.perDay, now.perDay))
    throw new ServiceError('invalidRequest', 'You have these limits already. Ask for more of one or both.');
}

/** The current limits of a key, or of all keys together. */
async function limitsNow({ deps, domain, user: { account } }: SignedInContext, keyId: number | null) {
  const key = keyId === null ? undefined : await findKey(domain, account.id, keyId);
  return key === undefined
    ? limitsInForce(account, deps.accountLimits)
    : limitsInForce(key, deps.defaultLimits);
}

/** GET and POST /higher-limits: asks the operator for higher limits, and shows the state of that request. */
export const higherLimitsPage = signedInPage(PATH, {
  get: (context) => showForm(context),
  post: async (context) => {
    const { id: accountId, email } = context.user.account;
    const keyId = await keyIdOf(context, formFields(context.request.body, ['key']).key);
    try {
      const now = await limitsNow(context, keyId);
      const { perMinute, perDay, reason } = context.readForm(formFor(now));
      refuseSame({ perMinute, perDay }, now);
      await askForLimits(context.domain, { accountId, email, keyId, perMinute, perDay, reason });
    } catch (error) {
      return showForm(context, context.problemsOf(error));
    }
    return context.redirect(`${PATH}?done=asked${keyId === null ? '' : `&key=${keyId}`}`);
  },
});
