import type { ComponentChildren } from 'preact';
import { listAccountSummaries } from '../../accounts/account-summaries.js';
import { listProjectSummaries } from '../../accounts/project-summaries.js';
import { shownPrefixOf } from '../../keys/api-key.js';
import { listKeyPage } from '../../keys/list-keys.js';
import { KeysTable } from '../keys/keys-table.js';
import { formFields } from '../layout/form-data.js';
import { formatCount } from '../layout/formatting.js';
import { withQuery } from '../layout/list.js';
import { accountPath, ACCOUNTS_PATH, ALL_KEYS_PATH, ALL_PROJECTS_PATH } from '../operator/account-route.js';
import { AccountsTable } from '../operator/accounts-table.js';
import { PROJECTS_PATH } from '../overview/projects-page.js';
import { ProjectsTable } from '../overview/projects-table.js';
import { signedInPage } from '../routing/page.js';
import type { SignedInContext } from '../routing/page-context.js';
import { findExact, findInLog, pathOfKey, pathOfProject, scopeOf } from './find-exact.js';

const PATH = '/search';
const MAX_ROWS = 10;

async function findMatches(context: SignedInContext, search: string) {
  const { domain } = context;
  const accountId = scopeOf(context);
  const page = { search, offset: 0, limit: MAX_ROWS };
  const [projects, keys, accounts] = await Promise.all([
    listProjectSummaries(domain, { ...page, accountId }),
    listKeyPage(domain, { ...page, accountId }),
    accountId === undefined ? listAccountSummaries(domain, page) : { accounts: [], total: 0 },
  ]);
  return { projects, keys, accounts };
}

type Matches = Awaited<ReturnType<typeof findMatches>>;

interface GroupProps {
  readonly title: string;
  readonly total: number;
  readonly allPath: string;
  readonly children: ComponentChildren;
}

function Group({ title, total, allPath, children }: GroupProps) {
  if (total === 0) return null;
  return (
    <section>
      <h2>
        {title} <span class="muted">{formatCount(total)}</span>
      </h2>
      {children}
      {total > MAX_ROWS ? (
        <p>
          <a href={allPath}>
            All {formatCount(total)} {title.toLowerCase()}
          </a>
        </p>
      ) : null}
    </section>
  );
}

interface ResultsProps {
  readonly context: SignedInContext;
  readonly search: string;
  readonly matches: Matches;
}

function Results({ context, search, matches: { accounts, projects, keys } }: ResultsProps) {
  const isOfAll = scopeOf(context) === undefined;
  const tableProps = isOfAll ? { accountPathOf: accountPath } : { isOwn: true };
  return (
    <>
      <Group title="Accounts" total={accounts.total} allPath={withQuery(ACCOUNTS_PATH, { search })}>
        <AccountsTable rows={accounts.accounts} />
      </Group>
      <Group
        title="Projects"
        total={projects.total}
        allPath={withQuery(isOfAll ? ALL_PROJECTS_PATH : PROJECTS_PATH, { search })}
      >
        <ProjectsTable
          projects={projects.projects}
          pathOf={(project) => pathOfProject(context, project)}
          {...tableProps}
        />
      </Group>
      <Group
        title="Keys"
        total={keys.total}
        allPath={withQuery(isOfAll ? ALL_KEYS_PATH : '/keys', { search })}
      >
        <KeysTable
          keys={keys.keys}
          defaultLimits={context.deps.defaultLimits}
          pathOf={(key) => pathOfKey(context, key)}
          {...tableProps}
        />
      </Group>
    </>
  );
}

const showEmpty = (context: SignedInContext, search: string) =>
  context.render(
    { title: 'Find', width: 'narrow' },
    <>
      <h1>{search === '' ? 'Find' : `Nothing found for “${search}”`}</h1>
      <p>
        Type a part of the name of a project, the first characters of a key, or its number
        {scopeOf(context) === undefined ? ', or a part of the e-mail or name of an account' : ''}. A request
        of the last 7 days is found by the whole of its <code>X-Request-Id</code>.
      </p>
    </>,
  );

/**
 * GET /search: projects, keys and, for operators, accounts that match. Redirects to what `findExact` finds, and to what
 * `findInLog` finds if nothing matches.
 */
export const searchPage = signedInPage(PATH, {
  get: async (context) => {
    const search = formFields(context.request.query, ['q']).q.trim();
    if (search === '') return showEmpty(context, search);
    const exact = await findExact(context, search);
    if (exact !== undefined) return context.redirect(exact);
    const matches = await findMatches(context, search);
    if (Object.values(matches).every(({ total }) => total === 0)) {
      const request = await findInLog(context, search);
      return request === undefined ? showEmpty(context, search) : context.redirect(request);
    }
    return context.render(
      { title: 'Found' },
      <>
        <h1>
          Found for “<bdi>{search}</bdi>”
        </h1>
        <Results context={context} search={search} matches={matches} />
      </>,
    );
  },
  /** The search is sent by POST and a pasted API key is cut to its prefix, so that the whole key is in no address. */
  post: (context) => {
    const text = formFields(context.request.body, ['q']).q.trim();
    return context.redirect(withQuery(PATH, { q: shownPrefixOf(text) ?? text }));
  },
});
