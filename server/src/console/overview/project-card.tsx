import type { Project } from '../../accounts/project.js';
import { Form } from '../layout/form.js';
import { KeysTable } from './keys-table.js';
import type { UsedKey } from './read-account-usage.js';
import { RevokedKeys } from './revoked-keys.js';

interface ProjectCardProps {
  readonly project: Project;
  /** All its keys, revoked ones too. */
  readonly usedKeys: readonly UsedKey[];
}

const isLive = ({ key }: UsedKey) => key.revokedAtMs === null;

/** A project with its keys. */
export function ProjectCard({ project: { id, name }, usedKeys }: ProjectCardProps) {
  const live = usedKeys.filter(isLive);
  const revoked = usedKeys.filter((usedKey) => !isLive(usedKey)).map(({ key }) => key);
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
      <RevokedKeys projectName={name} keys={revoked} />
    </section>
  );
}
