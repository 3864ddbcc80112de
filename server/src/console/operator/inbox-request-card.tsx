import type { InboxRequest, RequestKind } from '../../inbox/inbox-request.js';
import type { Limits } from '../../usage/rate-limit.js';
import { limitsInForce } from '../../usage/read-key-usage.js';
import { formatLimits } from '../keys/key-display.js';
import { LimitFields } from '../keys/limit-fields.js';
import type { FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { INBOX_PATH } from '../layout/page-layout.js';
import { accountPath } from './account-route.js';

/** The path of an operator's decision on a request. */
const requestPath = (requestId: string, act: 'approve' | 'refuse') =>
  `${INBOX_PATH}/${encodeURIComponent(requestId)}/${act}`;

interface RequestCardProps {
  readonly request: InboxRequest;
  /** The problems of a decision that was rejected. */
  readonly problems: FormProblems | undefined;
  /** Whether the decision is mailed to the person who asked. */
  readonly isMailed: boolean;
  /** The default limits of a key, and of all keys of an account together. */
  readonly defaults: { readonly key: Limits; readonly account: Limits };
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

function About({ request: { key, ...request }, defaults }: Pick<RequestCardProps, 'request' | 'defaults'>) {
  return (
    <dl class="facts">
      {request.name === null ? null : (
        <>
          <dt>Name</dt>
          <dd>
            <bdi>{request.name}</bdi>
          </dd>
        </>
      )}
      {request.kind === 'limits' ? (
        <>
          <dt>For</dt>
          <dd>
            {key === null ? (
              `all keys of the account together, now ${formatLimits(limitsInForce(request.accountLimits, defaults.account))}`
            ) : (
              <>
                <code>{key.prefix}…</code> of <bdi>{key.projectName}</bdi>, now{' '}
                {formatLimits(limitsInForce(key, defaults.key))}
              </>
            )}
          </dd>
        </>
      ) : null}
      <dt>Asked</dt>
      <dd>
        <Timestamp timeMs={request.askedAtMs} />
      </dd>
    </dl>
  );
}

/** Fields for both requested limits. The operator may change them before approving. */
function LimitsApproval({ request, problems }: Pick<RequestCardProps, 'request' | 'problems'>) {
  const { id, email } = request;
  return (
    <Form action={requestPath(id, 'approve')} class="row inbox-limits">
      <LimitFields of={id} limits={request} problems={problems} />
      <button type="submit">
        Set these limits<span class="visually-hidden"> for {email}</span>
      </button>
    </Form>
  );
}

/** Warns if a higher limit of a key has no effect because the account's own limit is lower. */
function LowerAccountLimits({
  request: { key, accountId, accountLimits, ...asked },
  defaults,
}: Pick<RequestCardProps, 'request' | 'defaults'>) {
  const together = limitsInForce(accountLimits, defaults.account);
  const wanted = limitsInForce(asked, together);
  const isLower = (limit: number | null, want: number | null) =>
    limit !== null && (want === null || want > limit);
  const isTooLow = isLower(together.perMinute, wanted.perMinute) || isLower(together.perDay, wanted.perDay);
  if (key === null || accountId === null || !isTooLow) return null;
  return (
    <p class="notice">
      All keys of this account together have {formatLimits(together)}, which is less:{' '}
      <a href={`${accountPath(accountId)}#limits`}>raise that as well</a>.
    </p>
  );
}

function RejectionForm({
  request,
  problems,
  isMailed,
}: Pick<RequestCardProps, 'request' | 'problems' | 'isMailed'>) {
  const { id, email, kind } = request;
  const isRead = isMailed || kind === 'limits';
  return (
    <details class="inbox-rejection" open={problems?.typed.answer !== undefined}>
      <summary>
        Refuse…<span class="visually-hidden"> what {email} asks for</span>
      </summary>
      <Form action={requestPath(id, 'refuse')} class="stack">
        {isRead ? (
          <Field
            name="answer"
            id={`answer-${id}`}
            label="Why (optional)"
            hint={isMailed ? 'It is mailed to them.' : 'They read it where they asked.'}
            rows={2}
            problems={problems}
          />
        ) : null}
        <button type="submit" class="danger-button">
          Refuse
        </button>
      </Form>
    </details>
  );
}

/** What else happens if the request is approved. */
function whatFollows(kind: RequestKind, isMailed: boolean): string {
  if (kind === 'apiAccess') return isMailed ? 'They are told by mail.' : '';
  return isMailed ? 'The link is mailed to them, and shown to you once.' : 'The link is shown to you once.';
}

/** One request, with the forms to decide it. */
export function RequestCard({ request, problems, isMailed, defaults }: RequestCardProps) {
  const { id, kind, email, accountId, reason } = request;
  const approval = kind === 'limits' ? undefined : APPROVALS[kind];
  return (
    <section class="card inbox-request" aria-labelledby={id}>
      <div class="inbox-head">
        <h2 id={id}>
          {accountId === null ? email : <a href={accountPath(accountId)}>{email}</a>} {TITLES[kind]}
        </h2>
      </div>
      <FormAlert problems={problems} />
      <About request={request} defaults={defaults} />
      {reason === null ? null : (
        <blockquote class="inbox-reason" dir="auto">
          {reason}
        </blockquote>
      )}
      {kind === 'limits' ? <LowerAccountLimits request={request} defaults={defaults} /> : null}
      <div class="inbox-acts">
        {approval === undefined ? (
          <LimitsApproval request={request} problems={problems} />
        ) : (
          <Form action={requestPath(id, 'approve')} class="actions">
            <button type="submit">
              {approval}
              <span class="visually-hidden"> for {email}</span>
            </button>
            <span class="muted">{whatFollows(kind, isMailed)}</span>
          </Form>
        )}
        <RejectionForm request={request} problems={problems} isMailed={isMailed} />
      </div>
    </section>
  );
}
