import type { FormProblems } from '../form-fields.js';
import { Field } from '../layout/field.js';
import { Form } from '../layout/form.js';

interface ProjectFormProps {
  readonly name: string;
  readonly problems?: FormProblems | undefined;
}

/** Asks for the name of a new project. */
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
