import { OAUTH_PATHS } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { createProject, findProject, listProjects, type Project } from '../../accounts/project.js';
import { AUTHORIZATION_PARAMETERS, type AuthorizationRequest } from '../../oauth/authorization-request.js';
import { OAuthError } from '../../oauth/oauth-error.js';
import type { Parameters } from '../../oauth/parameters.js';
import { isOwnMachine } from '../../oauth/redirect-uri.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Form, HiddenFields } from '../layout/form.js';
import { withQuery } from '../layout/list.js';
import { Select } from '../layout/select.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { contentSecurityPolicy, formTarget } from '../routing/security-headers.js';
import { describeUri } from './connections-page.js';
import { Facts } from '../layout/facts.js';
import { Actions } from '../layout/actions.js';

const PATH = OAUTH_PATHS.authorize;
const FIRST_PROJECT = 'Assistants';

const toParameters = (value: unknown): Parameters =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Shows an error without a link back to the client, because the redirect URI cannot be trusted. */
const showUnknown = (context: SignedInContext, { message }: OAuthError) =>
  context.render(
    { title: 'Not connected', status: 400, width: 'narrow' },
    <>
      <h1>This assistant cannot be connected</h1>
      <p>{message}</p>
      <p>You were not sent anywhere, and nothing about you was passed on.</p>
    </>,
  );

/** Shows the problem in the request of a known client. Only a click on the link leads back to the client. */
const showProblem = (context: SignedInContext, request: AuthorizationRequest, problem: OAuthError) =>
  context.render(
    { title: 'Not connected', status: 400, width: 'narrow' },
    <>
      <h1>
        <bdi>{request.client.name}</bdi> cannot be connected
      </h1>
      <p>It asked in a way that this server does not accept. {problem.message}</p>
      <Actions
        links={[
          [context.deps.oauth.rejectionOf(request, problem), `Back to ${describeUri(request.redirectUri)}`],
        ]}
      />
    </>,
  );

function ClientFacts({ request, email }: { readonly request: AuthorizationRequest; readonly email: string }) {
  const { client, redirectUri } = request;
  return (
    <Facts
      facts={[
        [
          'Who it is',
          client.host === null ? (
            'Unknown: it chose this name itself'
          ) : (
            <>
              Known by its address at <strong>{client.host}</strong>
            </>
          ),
        ],
        ['Leads you back to', <strong>{describeUri(redirectUri)}</strong>],
        ['Signed in as', email],
        ['It gets', 'The tools of this server, with a key of its own, until you end the connection'],
        ['It does not get', 'Your password, your other keys, or your tokens'],
      ]}
    />
  );
}

function ProjectChoice({ projects }: { readonly projects: readonly Project[] }) {
  const [first] = projects;
  if (first === undefined)
    return (
      <p>
        You have no project yet: it gets one named <strong>{FIRST_PROJECT}</strong>.
      </p>
    );
  const choices = projects.map(({ id, name }) => [id, name] as const);
  return <Select name="project" label="Project it works for" value={first.id} choices={choices} />;
}

async function showQuestion(
  context: SignedInContext,
  params: Parameters,
  request: AuthorizationRequest,
  problems?: FormProblems,
): Promise<FastifyReply> {
  const { account } = context.user;
  const { client, redirectUri } = request;
  const hiddenFields = formFields(params, AUTHORIZATION_PARAMETERS);
  const projects = await listProjects(context.domain, account.id);
  // Submitting the form redirects to the client, so the page's policy must allow that.
  context.reply.header('Content-Security-Policy', contentSecurityPolicy([formTarget(new URL(redirectUri))]));
  return context.render(
    { title: `Connect ${client.name}`, width: 'narrow', problems },
    <>
      <h1>
        Connect <bdi>{client.name}</bdi>?
      </h1>
      <p>
        <bdi>
          <strong>{client.name}</strong>
        </bdi>{' '}
        wants to use this server for you: to capture pages, look up postcodes and read your usage.
      </p>
      <ClientFacts request={request} email={account.email} />
      {isOwnMachine(redirectUri) ? (
        <p class="notice">
          It runs on your computer, where any program could use this name. Connect it only if you have just
          asked for this.
        </p>
      ) : null}
      {/* The query leads back to this page if the session has ended meanwhile. */}
      <Form action={withQuery(PATH, hiddenFields)} class="stack">
        <HiddenFields fields={hiddenFields} />
        <ProjectChoice projects={projects} />
        <p class="actions">
          <button type="submit" name="answer" value="connect">
            Connect
          </button>
          <button type="submit" name="answer" value="cancel" class="secondary">
            Cancel
          </button>
        </p>
      </Form>
      <p class="aside">
        Its requests count against the limits of its key. You can end the connection among your{' '}
        <a href="/assistants#connections">connected assistants</a>.
      </p>
    </>,
  );
}

/**
 * The chosen project, or a new one if the account has none. Throws a ServiceError if the account has projects, but not
 * the chosen one.
 */
async function projectFor({ domain, user }: SignedInContext, projectId: string): Promise<Project> {
  const { account } = user;
  const project = await findProject(domain, account.id, projectId);
  if (project !== undefined) return project;
  const projects = await listProjects(domain, account.id);
  if (projects.length === 0) return createProject(domain, { accountId: account.id, name: FIRST_PROJECT });
  throw new ServiceError('invalidRequest', 'You have no such project. Choose one of yours.');
}

async function handleDecision(context: SignedInContext, params: Parameters, request: AuthorizationRequest) {
  const { oauth } = context.deps;
  const { answer: decision, project } = formFields(params, ['answer', 'project']);
  const leadTo = (url: string) => context.reply.header('Referrer-Policy', 'no-referrer').redirect(url, 303);
  if (decision !== 'connect')
    return leadTo(oauth.rejectionOf(request, new OAuthError('access_denied', 'The person said no.')));
  try {
    const { id } = await projectFor(context, project);
    const actor = { ...context.actor, accountId: context.user.account.id };
    return await leadTo(await oauth.allow(actor, request, id));
  } catch (error) {
    return showQuestion(context, params, request, context.problemsOf(error));
  }
}

type ClientHandler = (
  context: SignedInContext,
  params: Parameters,
  request: AuthorizationRequest,
) => Promise<FastifyReply>;

/**
 * Calls `handle` if the client, its redirect URI and the rest of the request are valid. Otherwise shows the problem on
 * a page of this server, so that no browser is sent to an unknown address.
 */
const forKnownClient = (handle: ClientHandler) => async (context: SignedInContext) => {
  const params = toParameters(context.formOrQuery);
  let request;
  try {
    request = await context.deps.oauth.readRequest(params, context.user.account.id);
  } catch (error) {
    if (error instanceof OAuthError) return showUnknown(context, error);
    throw error;
  }
  const { problem } = request;
  return problem === undefined ? handle(context, params, request) : showProblem(context, request, problem);
};

/** GET and POST /oauth/authorize: connects an assistant if the account's owner agrees. */
export const authorizePage = signedInPage(PATH, {
  get: forKnownClient(showQuestion),
  post: forKnownClient(handleDecision),
});
