import type { Project } from '../../accounts/project.js';
import { KeyState, formatRemaining, formatLimits, OlderRevokedKeys } from '../keys/key-display.js';
import { keyPath } from '../keys/key-page.js';
import type { RevokedKeysOfProject } from '../../keys/find-keys.js';
import { Form } from '../layout/form.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import type { UsedKey } from './account-usage.js';

interface KeysTableProps {
  readonly projectName: string;
  readonly usedKeys: readonly UsedKey[];
}

function KeyRow({ usedKey }: { readonly usedKey: UsedKey }) {
  const { key, limits, requestsToday, leftToday } = usedKey;
  return (
    <tr>
      <th scope="row" class="nowrap">
        <a href={keyPath(key.id)}>
          <code>{key.prefix}…</code>
        </a>
      </th>
      <td class="nowrap">
        <KeyState ownKey={key} leftToday={leftToday} />
      </td>
      <td class="number">{formatCount(requestsToday)}</td>
      <td class="number">{formatRemaining(leftToday)}</td>
      <td class="key-words">{formatLimits(limits)}</td>
      <td class="key-words">
        {key.lastUsedAtMs === null ? 'never' : <Timestamp timeMs={key.lastUsedAtMs} />}
      </td>
      <td class="number">
        <a class="button small destructive" href={`${keyPath(key.id)}/revoke`}>
          Revoke<span class="visually-hidden"> {key.prefix}</span>
        </a>
      </td>
    </tr>
  );
}

/** The live keys of a project. */
function KeysTable({ projectName, usedKeys }: KeysTableProps) {
  return (
    <div class="table keys" tabindex={0} role="region" aria-label={`Keys of ${projectName}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Used today
            </th>
            <th scope="col" class="number">
              Left today
            </th>
            <th scope="col">Limits</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {usedKeys.map((usedKey) => (
            <KeyRow key={usedKey.key.id} usedKey={usedKey} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RevokedKeysProps {
  readonly projectName: string;
  readonly revoked: RevokedKeysOfProject;
}

const timestampOrNever = (timeMs: number | null) =>
  timeMs === null ? 'never' : <Timestamp timeMs={timeMs} />;

/** The revoked keys of a project, folded away. */
function RevokedKeys({ projectName, revoked }: RevokedKeysProps) {
  const { shown, count } = revoked;
  if (count === 0) return null;
  return (
    <details class="revoked">
      <summary>{count === 1 ? '1 revoked key' : `${formatCount(count)} revoked keys`}</summary>
      <div class="table keys" tabindex={0} role="region" aria-label={`Revoked keys of ${projectName}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">State</th>
              <th scope="col">Revoked at</th>
              <th scope="col">Last used</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((key) => (
              <tr key={key.id}>
                <th scope="row" class="nowrap">
                  <a href={keyPath(key.id)}>
                    <code>{key.prefix}…</code>
                  </a>
                </th>
                <td>
                  <span class="badge danger">revoked</span>
                </td>
                <td class="nowrap">{timestampOrNever(key.revokedAtMs)}</td>
                <td class="nowrap">{timestampOrNever(key.lastUsedAtMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <OlderRevokedKeys revoked={revoked} />
    </details>
  );
}

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
