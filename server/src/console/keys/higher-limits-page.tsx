import { z } from 'zod';
import { askForLimits } from '../../inbox/ask-operator.js';
import { checkText, type InboxRequest } from '../../inbox/inbox-request.js';
import { listLimitRequests } from '../../inbox/inbox.js';
import { listKeys } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import { type Limit, parseLimit } from '../../platform/limit.js';
import type { Limits } from '../../usage/rate-limit.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { Select } from '../layout/select.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { formatLimitPair, formatLimits } from './key-display.js';
import { withQuery } from '../layout/list.js';
import { OVERVIEW } from '../layout/page-layout.js';
import { findKeyNamed } from './own-key.js';

const PATH = '/higher-limits';

/** The path of the form that asks for higher limits of a key or, without an id, of the whole account. */
export const higherLimitsPath = (keyId?: number) => (keyId === undefined ? PATH : `${PATH}?key=${keyId}`);

const DONE = new Map([['asked', 'The operator has your request. You will see the answer here.']]);

const STATES = { approved: 'good', refused: 'danger' } as const;

function SentRequests({ requests }: { readonly requests: readonly InboxRequest[] }) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">What you asked for</h2>
      <ul class="asked">
        {requests.map(({ key, outcome, answer, askedAtMs, ...limits }) => (
          <li class="card">
            <p>
              <span class={`badge ${outcome === null ? 'warn' : STATES[outcome]}`}>
                {outcome ?? 'waiting'}
              </span>{' '}
              <strong>{formatLimitPair(limits)}</strong> for{' '}
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
  const [liveKeys, requests] = await Promise.all([
    listKeys(context.domain, id, 'notEnded'),
    listLimitRequests(context.domain, id),
  ]);
  const chosen = problems?.values.key ?? formFields(context.request.query, ['key']).key;
  const combinedLimits = effectiveLimits(account, accountLimits);
  const isUnlimited = combinedLimits.perMinute === null && combinedLimits.perDay === null;
  // Preselects the first key if none was chosen and all keys together have no limit: then only a key can get higher
  // limits.
  const first = problems === undefined && chosen === '' && isUnlimited ? liveKeys[0] : undefined;
  const key = liveKeys.find((own) => String(own.id) === chosen) ?? first;
  const limits = key === undefined ? combinedLimits : effectiveLimits(key, defaultLimits);
  return context.render(
    { crumbs: [OVERVIEW], title: 'Ask for higher limits', width: 'narrow', problems },
    <>
      <h1>Ask for higher limits</h1>
      <DoneNotice sentences={DONE} />
      <Form action={PATH} class="stack">
        <Select
          name="key"
          label="For"
          value={String(key?.id ?? '')}
          choices={[
            ...liveKeys.map((own) => [String(own.id), `Key ${own.prefix}… (${own.projectName})`] as const),
            ['', 'All my keys together'],
          ]}
        />
        <Field
          name="perMinute"
          label="Requests per minute"
          hint={`More than now: a whole number, or "unlimited". A new key has ${formatLimits(defaultLimits)}.`}
          autocomplete="off"
          required
          value={String(limits.perMinute ?? 'unlimited')}
        />
        <Field
          name="perDay"
          label="Requests per day (UTC)"
          autocomplete="off"
          required
          value={String(limits.perDay ?? 'unlimited')}
        />
        <Field name="reason" rows={3} label="What you need them for (optional)" />
        <button type="submit">Send the request</button>
      </Form>
      <SentRequests requests={requests} />
    </>,
  );
}

/**
 * The key that a form names; undefined for all keys together. Throws a ServiceError if the account has no such key, or
 * the key is revoked or expired.
 */
async function keyOf({ domain, user }: SignedInContext, text: string): Promise<Key | undefined> {
  if (text === '') return undefined;
  const key = await findKeyNamed(domain, user.account.id, text);
  if (key !== undefined && isLive(key)) return key;
  throw new ServiceError('notFound', 'You have no such live key. Yours are in the overview.');
}

/**
 * Parses a requested limit: "unlimited" or, unless `current` is null (no limit), a whole number from `current` to
 * MAX_LIMIT. Throws a ServiceError for any other text.
 */
function parseRequestedLimit(text: string, current: number | null): Limit {
  const limit = parseLimit(text);
  if (limit === 'unlimited' || (limit !== 'default' && current !== null && limit >= current)) return limit;
  throw new ServiceError(
    'invalidRequest',
    current === null
      ? 'There is no limit now, so no number is higher: write "unlimited".'
      : `Ask for at least the ${formatCount(current)} that you have now, or "unlimited".`,
  );
}

const formFor = ({ perMinute, perDay }: Limits) =>
  z.object({
    perMinute: field((text) => parseRequestedLimit(text, perMinute)),
    perDay: field((text) => parseRequestedLimit(text, perDay)),
    reason: field(checkText),
  });

/** GET and POST /higher-limits: asks the operator for higher limits, and shows the account's requests for limits. */
export const higherLimitsPage = signedInPage(PATH, {
  get: (context) => showForm(context),
  post: async (context) => {
    const { domain, deps, user, request } = context;
    const { account } = user;
    const key = await keyOf(context, formFields(request.body, ['key']).key);
    const now = key ? effectiveLimits(key, deps.defaultLimits) : effectiveLimits(account, deps.accountLimits);
    const requested = context.readForm(formFor(now));
    if (
      requested.perMinute === (now.perMinute ?? 'unlimited') &&
      requested.perDay === (now.perDay ?? 'unlimited')
    )
      throw new ServiceError('invalidRequest', 'You have these limits already. Ask for more of one or both.');
    const { id: accountId, email } = account;
    await askForLimits(domain, { accountId, email, keyId: key?.id ?? null, ...requested });
    return context.redirect(withQuery(PATH, { done: 'asked', key: String(key?.id ?? '') }));
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
