import { listProjectSummaries, type ProjectSummary } from '../../accounts/project-summaries.js';
import { listProjects, type Project } from '../../accounts/project.js';
import { type KeysByProject, listKeysByProject } from '../../keys/find-keys.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import { DirectoryNotice, DoneNotice } from '../layout/notices.js';
import { AccountUsageSection, usageOfKeys, type UsageOfKeys } from './account-usage.js';
import { ProjectCard } from './project-card.js';
import { ProjectForm } from './project-form.js';
import { projectPath } from '../keys/own-key.js';
import { ProjectsTable } from './projects-table.js';
import { signedInPage } from '../routing/page.js';
import { Card } from '../layout/card.js';

const DONE = new Map([
  ['password', 'Your password is changed. Your other sessions are signed out.'],
  ['project', 'The project is added. Now create a key for it.'],
  ['revoked', 'The {key} is revoked. Its next request is refused.'],
  ['project-deleted', 'The project is deleted and its keys are revoked: their next requests are refused.'],
]);

const INTRODUCTION =
  'A project stands for one program or website of yours and holds its API keys, so that you see what each has used and can revoke one without the others.';

interface ProjectsProps {
  readonly projects: readonly Project[];
  readonly keys: KeysByProject;
  readonly usage: UsageOfKeys;
  /**
   * The projects to list without their keys; undefined if there are so few projects that each is shown with its keys.
   */
  readonly summaries: readonly ProjectSummary[] | undefined;
}

/** If there are more projects, they are listed without their keys. */
const MAX_PROJECTS_WITH_KEYS = 6;
/** At most this many projects are listed without their keys: those with the most requests today. */
const MAX_LISTED_PROJECTS = 10;

const Projects = ({ projects, keys, usage, summaries }: ProjectsProps) => (
  <section aria-labelledby="projects">
    <div class="page-head">
      <h2 id="projects">Projects and keys</h2>
      <span class="actions">
        <a href="/projects">All projects</a>
        <a href="/keys">All keys</a>
        <a href="/links">Links to captures</a>
        <a href="#add-project">Add a project</a>
      </span>
    </div>
    {summaries === undefined ? (
      projects.map((project) => {
        const { live, ended } = keys.ofProject(project.id);
        return <ProjectCard project={project} live={live.map(usage.of)} ended={ended} />;
      })
    ) : (
      <ProjectsTable projects={summaries} pathOf={({ id }) => projectPath(id)} />
    )}
  </section>
);

/**
 * GET /overview: the usage of the signed-in person's account, and its projects. If there are few projects, each is
 * shown with its keys.
 */
export const overviewPage = signedInPage('/overview', {
  menuLabel: 'Overview',
  get: async (context) => {
    const { user, deps, domain } = context;
    const { account } = user;
    const [projects, keys, accountUsage, lastDay] = await Promise.all([
      listProjects(domain, account.id),
      listKeysByProject(domain, account.id),
      deps.usage.ofAccount(account.id),
      deps.history.ofPeriod('day', { accountId: account.id }),
    ]);
    const { '4xx': wrong, '5xx': failed, refused } = lastDay.all.requests;
    const usage = usageOfKeys(accountUsage, deps.defaultLimits);
    const { info } = deps.directories.current();
    const summaries =
      projects.length > MAX_PROJECTS_WITH_KEYS
        ? await listProjectSummaries(domain, {
            accountId: account.id,
            sort: { by: 'today', isDescending: true },
            offset: 0,
            limit: MAX_LISTED_PROJECTS,
          })
        : undefined;
    return context.render(
      { title: 'Overview' },
      <>
        <h1>Overview</h1>
        <DoneNotice sentences={DONE} />
        {info.isSample ? <DirectoryNotice info={info} /> : null}
        {keys.hasKeys ? (
          <AccountUsageSection
            live={keys.live.map(usage.of)}
            dailyUsage={usage.dailyUsage}
            limits={effectiveLimits(account, deps.accountLimits)}
            notAnswered={wrong + failed + refused}
          />
        ) : null}
        {projects.length === 0 ? null : (
          <Projects projects={projects} keys={keys} usage={usage} summaries={summaries?.projects} />
        )}
        <Card id="add-project" title={projects.length === 0 ? 'Add your first project' : 'Add a project'}>
          <p class="muted">{INTRODUCTION}</p>
          <ProjectForm />
        </Card>
      </>,
    );
  },
});
