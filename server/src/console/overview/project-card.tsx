import type { Project } from '../../accounts/project.js';
import type { EndedKeysOfProject } from '../../keys/find-keys.js';
import { endedAtMs, type Key } from '../../keys/key.js';
import { formatLimit, formatLimits, KeyLink, KeyState, OlderEndedKeys } from '../keys/key-display.js';
import { keyPath, projectPath } from '../keys/own-key.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formatCount, Moment } from '../layout/formatting.js';
import type { UsedKey } from './account-usage.js';

interface KeysTableProps {
  readonly projectName: string;
  readonly usedKeys: readonly UsedKey[];
}

const momentOrNever = (timeMs: number | null) => (timeMs === null ? 'never' : <Moment timeMs={timeMs} />);

const LIVE_COLUMNS: readonly Column<UsedKey>[] = [
  { title: 'Key', kind: 'head', cell: ({ key }) => <KeyLink ownKey={key} href={keyPath(key.id)} /> },
  { title: 'State', cell: ({ key, leftToday }) => <KeyState ownKey={key} leftToday={leftToday} /> },
  { title: 'Used today', kind: 'number', cell: ({ requestsToday }) => formatCount(requestsToday) },
  { title: 'Left today', kind: 'number', cell: ({ leftToday }) => formatLimit(leftToday) },
  { title: 'Limits', class: 'key-words', isLesser: true, cell: ({ limits }) => formatLimits(limits) },
  { title: 'Last used', kind: 'time', cell: ({ key }) => momentOrNever(key.lastUsedAtMs) },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ key: { id, prefix } }) => (
      <a class="button small quiet" href={`${keyPath(id)}/revoke`}>
        Revoke<span class="visually-hidden"> {prefix}</span>
      </a>
    ),
  },
];

export const KeysTable = ({ projectName, usedKeys }: KeysTableProps) => (
  <DataTable
    label={`Keys of ${projectName}`}
    columns={LIVE_COLUMNS}
    rows={usedKeys}
    empty={
      <p class="muted">
        No live key. Create one: a program sends it with each request in the header{' '}
        <code class="nowrap">X-Api-Key</code>.
      </p>
    }
    class="keys of-project"
  />
);

interface EndedKeysProps {
  readonly projectName: string;
  readonly ended: EndedKeysOfProject;
}

const ENDED_COLUMNS: readonly Column<Key>[] = [
  { title: 'Key', kind: 'head', cell: (key) => <KeyLink ownKey={key} href={keyPath(key.id)} /> },
  { title: 'State', cell: ({ state }) => <span class="badge danger">{state}</span> },
  { title: 'Since', kind: 'time', cell: (key) => momentOrNever(endedAtMs(key)) },
  { title: 'Last used', kind: 'time', cell: ({ lastUsedAtMs }) => momentOrNever(lastUsedAtMs) },
];

export function EndedKeys({ projectName, ended }: EndedKeysProps) {
  const { latest, count } = ended;
  if (count === 0) return null;
  return (
    <details class="revoked">
      <summary>{`${formatCount(count)} revoked or ended ${count === 1 ? 'key' : 'keys'}`}</summary>
      <DataTable
        label={`Revoked and ended keys of ${projectName}`}
        columns={ENDED_COLUMNS}
        rows={latest}
        class="keys"
      />
      <OlderEndedKeys ended={ended} />
    </details>
  );
}

interface ProjectCardProps {
  readonly project: Project;
  readonly live: readonly UsedKey[];
  readonly ended: EndedKeysOfProject;
}

export const ProjectCard = ({ project: { id, name }, live, ended }: ProjectCardProps) => (
  <section class="card" aria-labelledby={id}>
    <div class="project-head">
      <h3 id={id}>
        <a href={projectPath(id)}>{name}</a>
      </h3>
      <a class={live.length === 0 ? 'button' : 'button secondary'} href={`${projectPath(id)}/keys`}>
        Create a key<span class="visually-hidden"> for {name}</span>
      </a>
    </div>
    <KeysTable projectName={name} usedKeys={live} />
    <EndedKeys projectName={name} ended={ended} />
  </section>
);
