import type { Project } from '../../accounts/project.js';
import { Form } from '../layout/form.js';
import { KeysTable } from './keys-table.js';
import type { RevokedKeysOfProject } from '../keys/shown-keys.js';
import type { UsedKey } from './read-account-usage.js';
import { RevokedKeys } from './revoked-keys.js';

interface ProjectCardProps {
  readonly project: Project;
  readonly live: readonly UsedKey[];
  readonly revoked: RevokedKeysOfProject;
}

/** A project with its keys. */
export function ProjectCard({ project: { id, name }, live, revoked }: ProjectCardProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="project-head">
        <h3 id={id}>{name}</h3>
        <Form action={`/projects/${id}/keys`}>
          <button type="submit" class={live.length === 0 ? '' : 'secondary'}>
            Create a key<span class="visually-hidden"> for {name}</span>
          </button>
        </Form>
      </div>
      {live.length === 0 ? (
        <p class="muted">
          No live key. Create one: a program sends it with each request in the header{' '}
          <code class="nowrap">X-Api-Key</code>.
        </p>
      ) : (
        <KeysTable projectName={name} usedKeys={live} />
      )}
      <RevokedKeys projectName={name} revoked={revoked} />
    </section>
  );
}
