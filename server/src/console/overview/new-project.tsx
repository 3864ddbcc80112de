import { createCappedProject } from '../../accounts/create-capped-project.js';
import { formFields, problemsOf, type FormProblems } from '../form-fields.js';
import { FormAlert } from '../layout/form.js';
import type { Pages, SignedInVisit } from '../pages.js';
import { ProjectForm } from './project-form.js';

const showForm = (visit: SignedInVisit, name: string, problems: FormProblems) =>
  visit.page(
    { title: 'Add a project', width: 'narrow', problems },
    <>
      <p class="crumbs">
        <a href="/overview">Overview</a>
      </p>
      <h1>Add a project</h1>
      <FormAlert problems={problems} />
      <ProjectForm name={name} problems={problems} />
    </>,
  );

/** POST /projects: makes a project, or shows the form alone with what was wrong. */
export function addNewProject(pages: Pages): void {
  const { parts } = pages;
  pages.signedIn('POST', '/projects', async (visit) => {
    const { name } = formFields(visit.request.body, ['name']);
    try {
      await createCappedProject(parts.db, parts, { accountId: visit.visitor.account.id, name });
    } catch (error) {
      return showForm(visit, name, problemsOf(error, 'name'));
    }
    return visit.redirect('/overview?done=project');
  });
}
