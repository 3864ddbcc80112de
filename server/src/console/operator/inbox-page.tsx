import { z } from 'zod';
import {
  createPasswordLink,
  type LinkedAccount,
  prepareInvitation,
  storeInvitation,
} from '../../accounts/account-links.js';
import { setAccountLimits, setApiAccess } from '../../accounts/account-state.js';
import { checkText, type InboxRequest, isRequestKind } from '../../inbox/inbox-request.js';
import { approveRequest, findOpenRequest, listRequests, refuseRequest } from '../../inbox/inbox.js';
import { setKeyLimits } from '../../keys/change-key.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import { formatLimitPair, limitsDirection } from '../keys/key-display.js';
import { LIMITS_FORM } from '../keys/limit-fields.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { ChoiceField, FilterForm, FilterField } from '../layout/filter-form.js';
import { lastPagePath, type List, readList } from '../layout/list.js';
import { DoneNotice } from '../layout/notices.js';
import { INBOX_PATH } from '../layout/site-header.js';
import { PageLinks } from '../layout/paging.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { DecidedRequests, KIND_WORDS } from './decided-requests.js';
import { RequestCard } from './inbox-request-card.js';
import { oneTimeLinkCard, showOnce } from './one-time-link-card.js';

const LIST = {
  path: INBOX_PATH,
  sorts: [{ by: 'asked', isDescending: false }],
  filters: ['state', 'kind', 'text'],
  perPage: 20,
} as const;

const DONE = new Map([
  ['limits-raised', 'The limits of the {key} are raised, from the next request on.'],
  ['limits-lowered', 'The limits of the {key} are lowered, from the next request on.'],
  ['limits-changed', 'The limits of the {key} are changed, from the next request on.'],
  ['limits-unchanged', 'The limits of the {key} stay as they were.'],
  ['account-limits-raised', 'The limits of all keys together are raised, from the next request on.'],
  ['account-limits-lowered', 'The limits of all keys together are lowered, from the next request on.'],
  ['account-limits-changed', 'The limits of all keys together are changed, from the next request on.'],
  ['account-limits-unchanged', 'The limits of all keys together stay as they were.'],
  ['api-access', 'API access is on. The owner finds the tokens at /apikeys.'],
  ['refused', 'The request is refused.'],
]);

type InboxList = List<'asked', (typeof LIST)['filters'][number]>;

function InboxFilters({ list }: { readonly list: InboxList }) {
  const { state, kind, text } = list.filters;
  return (
    <FilterForm list={list}>
      <ChoiceField name="state" label="State" value={state} any="Open" choices={[['decided', 'Decided']]} />
      <ChoiceField name="kind" label="For" value={kind} any="Anything" choices={Object.entries(KIND_WORDS)} />
      <FilterField name="text" label="Person, reason, key or project" value={text} />
    </FilterForm>
  );
}

function NoRequests({ list, isMailed }: { readonly list: InboxList; readonly isMailed: boolean }) {
  const { state, kind, text } = list.filters;
  if (kind !== '' || text !== '') return <p>No request matches. Show all, or change the filter.</p>;
  return (
    <p>
      {state === 'decided' ? 'No request of an account was decided yet.' : 'Nothing waits for you.'} Requests
      for accounts, for links to new passwords, for higher limits and for API access come here
      {isMailed ? ', and by mail to every operator' : ''}.
    </p>
  );
}

/**
 * Shows the inbox. The request `requestId`, whose decision was rejected, is put first unless this page of the inbox
 * lists it.
 */
async function showInbox(context: SignedInContext, requestId?: string, problems?: FormProblems) {
  const { domain, deps } = context;
  const { notifications, defaultLimits: key, accountLimits: account } = deps;
  const list = readList(context.request.query, LIST);
  const { state, kind, text: search } = list.filters;
  const areDecided = state === 'decided';
  const { requests, total } = await listRequests(domain, {
    ...list.paging,
    areDecided,
    kind: isRequestKind(kind) ? kind : undefined,
    search,
  });
  const lastPage = lastPagePath(list, total);
  if (lastPage !== undefined) return context.redirect(lastPage);
  const isListed = requestId === undefined || requests.some(({ id }) => id === requestId);
  const shownRequests = isListed ? requests : [await findOpenRequest(domain, requestId), ...requests];
  const usage = areDecided ? new Map<string, PeriodUsage>() : await readUsage(context, shownRequests);
  return context.render(
    { title: 'Inbox', problems },
    <>
      <h1>Inbox</h1>
      <DoneNotice sentences={DONE} />
      <InboxFilters list={list} />
      {shownRequests.length === 0 && <NoRequests list={list} isMailed={notifications.isOn} />}
      {areDecided ? (
        <DecidedRequests requests={shownRequests} />
      ) : (
        shownRequests.map((request) => (
          <RequestCard
            request={request}
            isMailed={notifications.reaches(request.email)}
            defaults={{ key, account }}
            usage={usage.get(request.id)}
          />
        ))
      )}
      {total > 0 && <PageLinks paging={list.paging} total={total} pathOf={list.pagePath} />}
    </>,
  );
}

/** For each request for limits, by its id: the usage in the last 30 days of its key or, without one, of its account. */
async function readUsage({ deps }: SignedInContext, requests: readonly InboxRequest[]) {
  const limitRequests = requests.filter(({ kind }) => kind === 'limits');
  return new Map(
    await Promise.all(
      limitRequests.map(async ({ id, key, accountId }) => {
        const of = key === null ? { accountId: accountId ?? '' } : { keyId: key.id };
        return [id, await deps.history.ofPeriod('month', of)] as const;
      }),
    ),
  );
}

const requestIdOf = ({ request }: SignedInContext) => formFields(request.params, ['requestId']).requestId;

const requireRequest = (context: SignedInContext): Promise<InboxRequest> =>
  findOpenRequest(context.domain, requestIdOf(context));

/** Shows the inbox with the problem of a decision. */
const showProblem = (context: SignedInContext, error: unknown) =>
  showInbox(context, requestIdOf(context), context.problemsOf(error));

/**
 * Approves a request for limits: sets the limits that the operator entered, and mails them to the person who asked, if
 * mail can reach the person.
 */
async function setLimits(context: SignedInContext, request: InboxRequest) {
  const { key, email, accountId } = request;
  const { defaultLimits, accountLimits, notifications } = context.deps;
  const owner = accountId ?? '';
  const limits = context.readForm(LIMITS_FORM);
  await approveRequest(context.domain, request, (within) =>
    key === null
      ? setAccountLimits(within, owner, limits)
      : setKeyLimits(within, { ...key, accountId: owner }, limits),
  );
  const [before, defaults] = key === null ? [request.accountLimits, accountLimits] : [key, defaultLimits];
  const direction = limitsDirection(effectiveLimits(before, defaults), effectiveLimits(limits, defaults));
  const subject = key === null ? 'all your keys together' : `the key ${key.prefix}`;
  notifications.limitsSet(email, direction, `${formatLimitPair(limits)} for ${subject}`);
  const done = key === null ? `account-limits-${direction}` : `limits-${direction}&which=${key.prefix}`;
  return context.redirect(`${INBOX_PATH}?done=${done}`);
}

async function enableApiAccess(context: SignedInContext, request: InboxRequest) {
  await approveRequest(context.domain, request, (within) =>
    setApiAccess(within, request.accountId ?? '', true),
  );
  context.deps.notifications.apiAccessEnabled(request.email);
  return context.redirect(`${INBOX_PATH}?done=api-access`);
}

/** Approves a request for an account or a password: makes the account if it is missing, and a link for a password. */
async function makeLink({ domain }: SignedInContext, request: InboxRequest): Promise<LinkedAccount> {
  const { email, name, accountId } = request;
  if (accountId !== null)
    return approveRequest(domain, request, (within) => createPasswordLink(within, accountId));
  const prepared = await prepareInvitation(domain, { email, name: name ?? undefined });
  return approveRequest(domain, request, (within) => storeInvitation(within, prepared));
}

const approve = operatorPage(`${INBOX_PATH}/:requestId/approve`, {
  post: async (context) => {
    const request = await requireRequest(context);
    if (request.kind === 'limits') return setLimits(context, request);
    if (request.kind === 'apiAccess') return enableApiAccess(context, request);
    const linked = await makeLink(context, request);
    await context.countRequests();
    return showOnce(context, 'Approved', oneTimeLinkCard(context, linked), [
      [INBOX_PATH, 'Back to the inbox', 'main'],
    ]);
  },
  onError: showProblem,
  leadsTo: INBOX_PATH,
});

const REJECTION_FORM = z.object({ answer: field((text) => checkText(text.trim())) });

const refuse = operatorPage(`${INBOX_PATH}/:requestId/refuse`, {
  post: async (context) => {
    const request = await requireRequest(context);
    const { answer } = context.readForm(REJECTION_FORM);
    await refuseRequest(context.domain, request, answer);
    if (answer !== '') context.deps.notifications.requestRefused(request.email, answer);
    return context.redirect(`${INBOX_PATH}?done=refused`);
  },
  onError: showProblem,
  leadsTo: INBOX_PATH,
});

/** The page with people's requests to the operator, and the forms that approve or refuse a request. */
export const inboxPages = [
  operatorPage(INBOX_PATH, { menuLabel: 'Inbox', get: (context) => showInbox(context) }),
  approve,
  refuse,
];
