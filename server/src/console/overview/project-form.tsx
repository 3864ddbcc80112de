import { createProject } from '../../accounts/project.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { OVERVIEW } from '../layout/page-layout.js';

/** The form for a new project. */
export function ProjectForm({ problems }: { readonly problems?: FormProblems }) {
  return (
    <Form action="/projects" class="stack project-form">
      <Field
        name="name"
        label="Name of the project"
        hint="For your eyes: the program, website or sheet that it is for."
        autocomplete="off"
        required
        maxlength={100}
        problems={problems}
      />
      <button type="submit">Add the project</button>
    </Form>
  );
}

const showForm = (context: SignedInContext, problems: FormProblems) =>
  context.render(
    { crumbs: [OVERVIEW], title: 'Add a project', width: 'narrow', problems },
    <>
      <h1>Add a project</h1>
      <FormAlert problems={problems} />
      <ProjectForm problems={problems} />
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
