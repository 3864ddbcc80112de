import { createProject } from '../../accounts/project.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { OVERVIEW } from '../layout/page-layout.js';

export const ProjectForm = () => (
  <Form action="/projects" class="stack project-form">
    <Field
      name="name"
      label="Name of the project"
      hint="For your eyes: the program, website or sheet that it is for."
      autocomplete="off"
      required
      maxlength={100}
    />
    <button type="submit">Add the project</button>
  </Form>
);

const showForm = (context: SignedInContext, problems: FormProblems) =>
  context.render(
    { crumbs: [OVERVIEW], title: 'Add a project', width: 'narrow', problems },
    <>
      <h1>Add a project</h1>
      <ProjectForm />
    </>,
  );

/** Creates a project. If the form is wrong, shows it again with its problems. */
export async function addProject(context: SignedInContext) {
  const { name } = formFields(context.request.body, ['name']);
  try {
    await createProject(context.domain, { accountId: context.user.account.id, name });
  } catch (error) {
    return showForm(context, context.problemsOf(error, 'name'));
  }
  return context.redirect('/overview?done=project');
}
