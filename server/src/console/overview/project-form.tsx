import { createProject } from '../../accounts/project.js';
import { formFields } from '../layout/form-data.js';
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

export const showRejectedProject = (context: SignedInContext, error: unknown) =>
  context.render(
    {
      crumbs: [OVERVIEW],
      title: 'Add a project',
      width: 'narrow',
      problems: context.problemsOf(error, 'name'),
    },
    <>
      <h1>Add a project</h1>
      <ProjectForm />
    </>,
  );

export async function addProject(context: SignedInContext) {
  const { name } = formFields(context.request.body, ['name']);
  await createProject(context.domain, { accountId: context.user.account.id, name });
  return context.redirect('/overview?done=project');
}
