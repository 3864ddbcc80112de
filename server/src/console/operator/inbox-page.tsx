import { z } from 'zod';
import {
  createPasswordLink,
  type LinkedAccount,
  prepareInvitation,
  storeInvitation,
} from '../../accounts/account-links.js';
import { setAccountLimits, setApiAccess } from '../../accounts/account-state.js';
import { checkText, type InboxRequest } from '../../inbox/inbox-request.js';
import {
  approveRequest,
  countOpenRequests,
  findOpenRequest,
  listOpenRequests,
  refuseRequest,
} from '../../inbox/inbox.js';
import { setKeyLimits } from '../../keys/change-key.js';
import { formatAskedLimits } from '../keys/key-display.js';
import { LIMITS_FORM } from '../keys/limit-fields.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { DoneNotice } from '../layout/notices.js';
import { INBOX_PATH } from '../layout/page-layout.js';
import { pageCount, PageLinks, readPaging } from '../layout/paging.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { RequestCard } from './inbox-request-card.js';
import { handOver, OneTimeLinkCard } from './one-time-link-card.js';
import { OperatorTabs } from '../layout/operator-tabs.js';

const REQUESTS_PER_PAGE = 20;

const DONE = new Map([
  ['limits', 'The limits are raised, from the next request on.'],
  ['api-access', 'API access is on. The owner finds the tokens at /apikeys.'],
  ['refused', 'The request is refused.'],
]);

const pageOf = (page: number) => (page === 1 ? INBOX_PATH : `${INBOX_PATH}?page=${page}`);

/** Shows the inbox. After a rejected decision, the request shows its problems. */
async function showInbox(context: SignedInContext, requestId?: string, problems?: FormProblems) {
  const { domain } = context;
  const { notifications, defaultLimits, accountLimits } = context.deps;
  const paging = readPaging(formFields(context.request.query, ['page']).page, REQUESTS_PER_PAGE);
  const total = await countOpenRequests(domain);
  const lastPage = pageCount(total, paging);
  if (paging.page > lastPage) return context.redirect(pageOf(lastPage));
  const listed = await listOpenRequests(domain, paging);
  const shown =
    requestId === undefined || listed.some(({ id }) => id === requestId)
      ? listed
      : [await findOpenRequest(domain, requestId), ...listed];
  return context.render(
    { title: 'Inbox', problems },
    <>
      <OperatorTabs />
      <h1>Inbox</h1>
      <DoneNotice sentences={DONE} />
      {total === 0 ? (
        <p>
          Nothing waits for you. Requests for accounts, for links to new passwords, for higher limits and for
          API access come here{notifications.isOn ? ', and by mail to every operator' : ''}.
        </p>
      ) : (
        <>
          {shown.map((request) => (
            <RequestCard
              key={request.id}
              request={request}
              problems={request.id === requestId ? problems : undefined}
              isMailed={notifications.reaches(request.email)}
              defaults={{ key: defaultLimits, account: accountLimits }}
            />
          ))}
          <PageLinks paging={paging} total={total} pathOf={pageOf} />
        </>
      )}
    </>,
  );
}

const inboxPage = operatorPage(INBOX_PATH, {
  menuLabel: 'Inbox',
  get: (context) => showInbox(context),
});

function showLink(context: SignedInContext, linked: LinkedAccount) {
  return context.render(
    { title: 'Approved' },
    <>
      <OperatorTabs />
      <h1>Approved</h1>
      <OneTimeLinkCard
        linked={linked}
        url={handOver(context, linked)}
        isMailed={context.deps.notifications.reaches(linked.account.email)}
      />
      <p>
        <a class="button" href={INBOX_PATH}>
          Back to the inbox
        </a>
      </p>
    </>,
  );
}

const requireRequest = ({ request, domain }: SignedInContext): Promise<InboxRequest> =>
  findOpenRequest(domain, formFields(request.params, ['requestId']).requestId);

/** Sets the limits that an operator entered, of the key or of all keys of the account. */
async function raiseLimits(context: SignedInContext, request: InboxRequest) {
  const { key, email, accountId } = request;
  const owner = accountId ?? '';
  let limits: z.output<typeof LIMITS_FORM>;
  try {
    limits = context.readForm(LIMITS_FORM);
    await approveRequest(context.domain, request, (within) =>
      key === null
        ? setAccountLimits(within, owner, limits)
        : setKeyLimits(within, { ...key, accountId: owner }, limits),
    );
  } catch (error) {
    return showInbox(context, request.id, context.problemsOf(error));
  }
  const whose = key === null ? 'all your keys together' : `the key ${key.prefix}`;
  context.deps.notifications.limitsRaised(email, `${formatAskedLimits(limits)} for ${whose}`);
  return context.redirect(`${INBOX_PATH}?done=limits`);
}

/** Turns on API access for the account that asked for it. */
async function enableApiAccess(context: SignedInContext, request: InboxRequest) {
  await approveRequest(context.domain, request, (within) =>
    setApiAccess(within, request.accountId ?? '', true),
  );
  context.deps.notifications.apiAccessEnabled(request.email);
  return context.redirect(`${INBOX_PATH}?done=api-access`);
}

/** Makes the link that a request asks for: to a new account, or to choose a new password. */
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
    if (request.kind === 'limits') return raiseLimits(context, request);
    if (request.kind === 'apiAccess') return enableApiAccess(context, request);
    let linked;
    try {
      linked = await makeLink(context, request);
    } catch (error) {
      return showInbox(context, request.id, context.problemsOf(error));
    }
    await context.countRequests();
    return showLink(context, linked);
  },
  leadsTo: INBOX_PATH,
});

const REJECTION_FORM = z.object({ answer: field((text) => checkText(text.trim())) });

const refuse = operatorPage(`${INBOX_PATH}/:requestId/refuse`, {
  post: async (context) => {
    const request = await requireRequest(context);
    let answer;
    try {
      ({ answer } = context.readForm(REJECTION_FORM));
      await refuseRequest(context.domain, request, answer);
    } catch (error) {
      return showInbox(context, request.id, context.problemsOf(error));
    }
    if (answer !== '') context.deps.notifications.refused(request.email, answer);
    return context.redirect(`${INBOX_PATH}?done=refused`);
  },
  leadsTo: INBOX_PATH,
});

/** The requests of people to the operator, and the operator's decisions. */
export const inboxPages = [inboxPage, approve, refuse];
