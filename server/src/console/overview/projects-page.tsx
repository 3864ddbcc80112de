import { listProjectSummaries } from '../../accounts/project-summaries.js';
import { projectPath } from '../keys/own-key.js';
import { lastPagePath } from '../layout/list.js';
import { signedInPage } from '../routing/page.js';
import { addProject, showRejectedProject } from './project-form.js';
import { FilteredProjects, readProjectList, projectPageOf } from './projects-table.js';
import { OVERVIEW } from '../layout/page-layout.js';

export const PROJECTS_PATH = '/projects';

/** GET and POST /projects: lists the signed-in person's projects, and makes a new one. */
export const projectsPage = signedInPage(PROJECTS_PATH, {
  get: async (context) => {
    const { domain, user } = context;
    const list = readProjectList(PROJECTS_PATH, context.request.query);
    const wanted = { ...projectPageOf(list), accountId: user.account.id };
    const found = await listProjectSummaries(domain, wanted);
    const lastPage = lastPagePath(list, found.total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { crumbs: [OVERVIEW], title: 'Projects' },
      <>
        <div class="page-head">
          <h1>Projects</h1>
          <a class="button secondary" href="/overview#add-project">
            Add a project
          </a>
        </div>
        <FilteredProjects {...found} list={list} pathOf={({ id }) => projectPath(id)} />
      </>,
    );
  },
  post: addProject,
  onError: showRejectedProject,
});
