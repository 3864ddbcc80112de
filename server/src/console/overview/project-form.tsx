import { createProject } from '../../accounts/project.js';
import { formFields, type FormProblems, problemsOf } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';

interface ProjectFormProps {
  readonly name: string;
  readonly problems?: FormProblems | undefined;
}

/** The form for a new project. */
export function ProjectForm({ name, problems }: ProjectFormProps) {
  return (
    <Form action="/projects" class="stack project-form">
      <Field
        name="name"
        label="Name of the project"
        hint="For your eyes: the program, website or sheet that it is for."
        autocomplete="off"
        required
        maxlength={100}
        value={name}
        problems={problems}
      />
      <button type="submit">Add the project</button>
    </Form>
  );
}

const showForm = (context: SignedInContext, name: string, problems: FormProblems) =>
  context.render(
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

/** Makes a project, or shows only the form with its problems. */
export async function addProject(context: SignedInContext) {
  const { name } = formFields(context.request.body, ['name']);
  try {
    const wanted = { accountId: context.user.account.id, name };
    await createProject(context.domain, wanted);
  } catch (error) {
    return showForm(context, name, problemsOf(error, 'name'));
  }
  return context.redirect('/overview?done=project');
}
