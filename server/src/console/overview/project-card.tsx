import type { Project } from '../../accounts/project.js';
import type { EndedKeysOfProject } from '../../keys/find-keys.js';
import { endedAtMs } from '../../keys/key.js';
import { formatLimits, formatRemaining, KeyLink, KeyState, OlderEndedKeys } from '../keys/key-display.js';
import { keyPath, projectPath } from '../keys/own-key.js';
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
      <th scope="row">
        <KeyLink ownKey={key} href={keyPath(key.id)} />
      </th>
      <td>
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
export function KeysTable({ projectName, usedKeys }: KeysTableProps) {
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

interface EndedKeysProps {
  readonly projectName: string;
  readonly ended: EndedKeysOfProject;
}

const timestampOrNever = (timeMs: number | null) =>
  timeMs === null ? 'never' : <Timestamp timeMs={timeMs} />;

/** The keys of a project that are over, folded away. */
export function EndedKeys({ projectName, ended }: EndedKeysProps) {
  const { shown, count } = ended;
  if (count === 0) return null;
  return (
    <details class="revoked">
      <summary>{`${formatCount(count)} revoked or ended ${count === 1 ? 'key' : 'keys'}`}</summary>
      <div
        class="table keys"
        tabindex={0}
        role="region"
        aria-label={`Revoked and ended keys of ${projectName}`}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">State</th>
              <th scope="col">Since</th>
              <th scope="col">Last used</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((key) => (
              <tr key={key.id}>
                <th scope="row">
                  <KeyLink ownKey={key} href={keyPath(key.id)} />
                </th>
                <td>
                  <span class="badge danger">{key.state}</span>
                </td>
                <td class="nowrap">{timestampOrNever(endedAtMs(key))}</td>
                <td class="nowrap">{timestampOrNever(key.lastUsedAtMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <OlderEndedKeys ended={ended} />
    </details>
  );
}

interface ProjectCardProps {
  readonly project: Project;
  readonly live: readonly UsedKey[];
  readonly ended: EndedKeysOfProject;
}

/** A project with its keys. */
export function ProjectCard({ project: { id, name }, live, ended }: ProjectCardProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="project-head">
        <h3 id={id}>
          <a href={projectPath(id)}>{name}</a>
        </h3>
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
      <EndedKeys projectName={name} ended={ended} />
    </section>
  );
}
