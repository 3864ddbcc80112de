import type { Project } from '../../accounts/project.js';
import { listProjects } from '../../accounts/list-projects.js';
import { DirectoryNotice } from '../layout/directory-notice.js';
import { DoneNotice } from '../layout/done-notice.js';
import type { Pages } from '../pages.js';
import { AccountUsageSection } from './account-usage.js';
import { ProjectCard } from './project-card.js';
import { ProjectForm } from './project-form.js';
import { readAccountUsage, type UsedKey } from './read-account-usage.js';

const DONE = new Map([
  ['password', 'Your password is changed. Your other sessions are signed out.'],
  ['project', 'The project is added. Now create a key for it.'],
  ['revoked', 'The key is revoked. Its next request is refused.'],
]);

const WHAT_IT_IS =
  'A project stands for one program or website of yours and holds its API keys, so that you see what each has used and can revoke one without the others.';

interface ProjectsProps {
  readonly projects: readonly Project[];
  readonly usedKeys: readonly UsedKey[];
}

function Projects({ projects, usedKeys }: ProjectsProps) {
  return (
    <section aria-labelledby="projects">
      <div class="page-head">
        <h2 id="projects">Projects and keys</h2>
        <a href="#add-project">Add a project</a>
      </div>
      {projects.map((project) => (
        <ProjectCard
          key={project.id}
          project={project}
          usedKeys={usedKeys.filter(({ key }) => key.projectId === project.id)}
        />
      ))}
    </section>
  );
}

/** GET /overview: the projects of whoever is signed in, their keys and what these have used. */
export function addOverviewPage(pages: Pages): void {
  const { db, clock, directories, defaultLimits } = pages.parts;

  pages.signedIn('GET', '/overview', async (visit) => {
    const { account } = visit.visitor;
    const [projects, usage] = await Promise.all([
      listProjects(db, account.id),
      readAccountUsage(db, account.id, { nowMs: clock(), defaultLimits }),
    ]);
    const { info } = directories.current();
    return visit.page(
      { title: 'Overview' },
      <>
        <h1>{account.name === null ? 'Welcome' : `Welcome, ${account.name}`}</h1>
        <DoneNotice visit={visit} sentences={DONE} />
        {info.isSample ? <DirectoryNotice info={info} /> : null}
        {usage.usedKeys.length === 0 ? null : <AccountUsageSection usage={usage} />}
        {projects.length === 0 ? null : <Projects projects={projects} usedKeys={usage.usedKeys} />}
        <section class="card" aria-labelledby="add-project">
          <h2 id="add-project">{projects.length === 0 ? 'Add your first project' : 'Add a project'}</h2>
          <p class="muted">{WHAT_IT_IS}</p>
          <ProjectForm name="" />
        </section>
      </>,
    );
  });
}
