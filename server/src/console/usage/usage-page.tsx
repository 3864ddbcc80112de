import { listProjects, type Project } from '../../accounts/project.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { KeyLink } from '../keys/key-display.js';
import { withQuery } from '../layout/list.js';
import { LiveRegion } from '../layout/live-region.js';
import { signedInPage } from '../routing/page.js';
import { KeyChoice, keysToChoose } from './key-choice.js';
import { REQUESTS_PATH } from './request-log.js';
import {
  AboutFigures,
  CountsTable,
  type LogPath,
  OperationSelect,
  OperationsTable,
  PeriodChart,
  PeriodLinks,
  UsageFigures,
} from './usage-parts.js';
import { readUsageQuery, topLists, type UsageQuery, usagePath } from './usage-query.js';

const PATH = '/usage';

/** A minute in the form of the log's time filters; empty if undefined. */
const minuteText = (minute: number | undefined) =>
  minute === undefined ? '' : new Date(minute * MINUTE_MS).toISOString().slice(0, 16);

interface FilterFormProps {
  readonly query: UsageQuery;
  readonly projects: readonly Project[];
  readonly keys: Awaited<ReturnType<typeof keysToChoose>>;
}

function FilterForm({ query, projects, keys }: FilterFormProps) {
  const { period, project, key, operation } = query;
  const isFiltered = project !== '' || key !== '' || operation !== '';
  return (
    <form action={PATH} role="search" class="filters row">
      {period === 'day' ? null : <input type="hidden" name="period" value={period} />}
      <div class="field">
        <label for="project">Project</label>
        <select id="project" name="project">
          <option value="">All projects</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={id} selected={id === project}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <KeyChoice from={keys} chosen={key} ownerOf={({ projectName }) => projectName} allPath="/keys" />
      <OperationSelect chosen={operation} />
      <button type="submit" class="secondary">
        Filter
      </button>
      {isFiltered ? (
        <a class="button quiet" href={usagePath(PATH, { period })}>
          Show all
        </a>
      ) : null}
    </form>
  );
}

/** GET /usage: the outcomes of requests of an account, a project or a key. */
export const usagePage = signedInPage(PATH, {
  menuLabel: 'Usage',
  get: async (context) => {
    const { deps, user } = context;
    const query = readUsageQuery(context.request.query);
    const { period, project, key, operation } = query;
    const lists = topLists(PATH, query);
    const filter = {
      accountId: user.account.id,
      projectId: project === '' ? undefined : project,
      keyId: key === '' ? undefined : Number(key),
      operation: operation === '' ? undefined : operation,
    };
    const [usage, projects, keys] = await Promise.all([
      deps.history.ofPeriod(period, filter, lists.pages),
      listProjects(context.domain, user.account.id),
      keysToChoose(context.domain, filter, key),
    ]);
    const rows = usage.keys.map(({ keyId, name, prefix, projectName, counts }) => ({
      id: String(keyId),
      name: (
        <>
          <KeyLink ownKey={{ name, prefix }} href={withQuery(REQUESTS_PATH, { key: String(keyId) })} />
          <div class="muted operator-name">
            <bdi>{projectName}</bdi>
          </div>
        </>
      ),
      counts,
    }));
    const logPath: LogPath = (outcome, fromMinute = usage.spans[0]?.startMinute, toMinute) =>
      withQuery(REQUESTS_PATH, {
        key,
        operation,
        outcome,
        from: minuteText(fromMinute),
        to: minuteText(toMinute),
      });
    return context.render(
      { title: 'Usage' },
      <>
        <div class="page-head">
          <h1>Usage</h1>
        </div>
        <PeriodLinks path={PATH} query={query} />
        <FilterForm query={query} projects={projects} keys={keys} />
        <LiveRegion>
          <UsageFigures counts={usage.all} logPath={logPath} />
          <PeriodChart period={period} usage={usage} logPath={logPath} />
          {rows.length === 0 ? (
            <p>No requests match. Choose a longer period, or show all.</p>
          ) : (
            <>
              <OperationsTable usage={usage} />
              <CountsTable
                title="By key"
                of="Key"
                rows={rows}
                sorting={lists.sorting}
                pages={{ ...lists.keys, total: usage.keyTotal }}
              />
            </>
          )}
        </LiveRegion>
        <AboutFigures />
      </>,
    );
  },
});
