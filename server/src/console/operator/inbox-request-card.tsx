import type { InboxRequest, RequestKind } from '../../inbox/inbox-request.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import { countedRequests } from '../../usage/sum-counts.js';
import { formatRequestCount } from '../chart/usage-summary.js';
import { formatLimits, formatLimitsChange } from '../keys/key-display.js';
import { LimitFields } from '../keys/limit-fields.js';
import { Field, Form, ButtonForm, Submit, useProblemsOf } from '../layout/form.js';
import { Email, formatCount, Moment, EmailLink } from '../layout/formatting.js';
import { INBOX_PATH } from '../layout/site-header.js';
import { accountPath } from './account-route.js';

const requestPath = (requestId: string, act: 'approve' | 'refuse') =>
  `${INBOX_PATH}/${encodeURIComponent(requestId)}/${act}`;

interface RequestCardProps {
  readonly request: InboxRequest;
  readonly isMailed: boolean;
  /** The default limits of a key, and of all keys of an account together. */
  readonly defaults: { readonly key: Limits; readonly account: Limits };
  /** The usage of the last 30 days by the key or the account that asks for limits; undefined for other requests. */
  readonly usage: PeriodUsage | undefined;
}

const TITLES = {
  access: 'wants an account',
  password: 'forgot the password',
  limits: 'wants higher limits',
  apiAccess: 'wants API access',
};

const APPROVALS = {
  access: 'Make the account and its link',
  password: 'Make a link for a new password',
  apiAccess: 'Turn API access on',
} as const;

const About = ({ request: { name, key, askedAtMs } }: Pick<RequestCardProps, 'request'>) => (
  <p class="muted">
    {name === null ? null : (
      <>
        <bdi>{name}</bdi> ·{' '}
      </>
    )}
    {key === null ? null : (
      <>
        <code>{key.prefix}…</code> of <bdi>{key.projectName}</bdi> ·{' '}
      </>
    )}
    asked <Moment timeMs={askedAtMs} />
  </p>
);

const LONG_REASON_CHARACTERS = 200;

/** Why somebody asks, in their own words. A long text is folded away. */
function Reason({ reason }: { readonly reason: string | null }) {
  if (reason === null) return null;
  const text = (
    <blockquote class="inbox-reason" dir="auto">
      {reason}
    </blockquote>
  );
  if (reason.length <= LONG_REASON_CHARACTERS && reason.split('\n').length <= 3) return text;
  return (
    <details>
      <summary>Their reason, in {formatCount([...reason].length)} characters</summary>
      {text}
    </details>
  );
}

/**
 * Says how many requests a key or an account made in the last 30 days, how many on the busiest day, and how many were
 * refused.
 */
function usageWords({ all, spans }: PeriodUsage): string {
  const counted = countedRequests(all);
  const { refused } = all.requests;
  if (counted + refused === 0) return 'No request in the last 30 days.';
  const most = Math.max(...spans.map(({ counts }) => countedRequests(counts)));
  return `In 30 days ${formatRequestCount(counted)}, at most ${formatCount(most)} a day; ${formatCount(refused)} more refused and not counted.`;
}

/** Says what approving the requested limits changes, and how many requests were made in the last 30 days. */
function LimitsInWords({
  request,
  defaults,
  usage,
}: Pick<RequestCardProps, 'request' | 'defaults' | 'usage'>) {
  const { key, accountLimits, name, email } = request;
  const [before, fallback] = key === null ? [accountLimits, defaults.account] : [key, defaults.key];
  const change = formatLimitsChange(effectiveLimits(before, fallback), effectiveLimits(request, fallback));
  return (
    <p>
      As asked, {key === null ? 'the limit of all keys together of ' : ''}
      <bdi>{name ?? email}</bdi>
      {key === null ? '' : '’s key'} {change}. {usage === undefined ? null : usageWords(usage)}
    </p>
  );
}

/** Fields for the two requested limits, per minute and per day. The operator may change them before approving. */
function LimitsApproval({ request }: Pick<RequestCardProps, 'request'>) {
  const { id, email } = request;
  return (
    <Form action={requestPath(id, 'approve')} class="row inbox-limits">
      <LimitFields of={id} limits={request} />
      <button type="submit">
        Set these limits<span class="visually-hidden"> for {email}</span>
      </button>
    </Form>
  );
}

/** Warns if a key could not use up a requested limit, because all keys of its account together have a lower one. */
function LowerAccountLimits({
  request: { key, accountId, accountLimits, ...requested },
  defaults,
}: Pick<RequestCardProps, 'request' | 'defaults'>) {
  const shared = effectiveLimits(accountLimits, defaults.account);
  const newLimits = effectiveLimits(requested, shared);
  const isLower = (limit: number | null, newLimit: number | null) =>
    limit !== null && (newLimit === null || newLimit > limit);
  const isTooLow = isLower(shared.perMinute, newLimits.perMinute) || isLower(shared.perDay, newLimits.perDay);
  if (key === null || accountId === null || !isTooLow) return null;
  return (
    <p class="notice">
      All keys of this account together have {formatLimits(shared)}, which is less:{' '}
      <a href={`${accountPath(accountId)}#limits`}>raise that as well</a>.
    </p>
  );
}

function RejectionForm({ request, isMailed }: Pick<RequestCardProps, 'request' | 'isMailed'>) {
  const { id, email, kind } = request;
  const action = requestPath(id, 'refuse');
  return (
    <details class="inbox-rejection" open={useProblemsOf(action) !== undefined}>
      <summary>
        Refuse…<span class="visually-hidden"> what {email} asks for</span>
      </summary>
      <Form action={action} class="stack">
        {(isMailed || kind === 'limits') && (
          <Field
            name="answer"
            id={`answer-${id}`}
            label="Why (optional)"
            hint={isMailed ? 'It is mailed to them.' : 'They read it where they asked.'}
            rows={2}
          />
        )}
        <Submit look="danger-button">
          Refuse<span class="visually-hidden"> what {email} asks for</span>
        </Submit>
      </Form>
    </details>
  );
}

/** Says what happens when a request that is not for limits is approved. */
function nextStep(kind: RequestKind, isMailed: boolean): string {
  if (kind === 'apiAccess')
    return `Their tokens work from then on.${isMailed ? ' They are told by mail.' : ''}`;
  return isMailed ? 'The link is mailed to them, and shown to you once.' : 'The link is shown to you once.';
}

export function RequestCard({ request, isMailed, defaults, usage }: RequestCardProps) {
  const { id, kind, email, accountId, reason } = request;
  return (
    <section class="card inbox-request" aria-labelledby={id}>
      <div>
        <h2 id={id}>
          {accountId === null ? (
            <Email address={email} />
          ) : (
            <EmailLink href={accountPath(accountId)} email={email} />
          )}{' '}
          {TITLES[kind]}
        </h2>
        <About request={request} />
        <Reason reason={reason} />
        {kind === 'limits' && (
          <>
            <LimitsInWords request={request} defaults={defaults} usage={usage} />
            <LowerAccountLimits request={request} defaults={defaults} />
          </>
        )}
      </div>
      <div class="inbox-acts">
        {kind === 'limits' ? (
          <LimitsApproval request={request} />
        ) : (
          <ButtonForm action={requestPath(id, 'approve')} look="" about={` for ${email}`}>
            {APPROVALS[kind]}
          </ButtonForm>
        )}
        <RejectionForm request={request} isMailed={isMailed} />
        {kind === 'limits' ? null : <p class="muted">{nextStep(kind, isMailed)}</p>}
      </div>
    </section>
  );
}
