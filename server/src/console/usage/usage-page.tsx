import { listProjects, type Project } from '../../accounts/project.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { KeyLink } from '../keys/key-display.js';
import { ChoiceField } from '../layout/filter-form.js';
import { withQuery } from '../layout/list.js';
import { LiveRegion } from '../layout/live-region.js';
import { signedInPage } from '../routing/page.js';
import { KeyChoice, keysToChoose } from './key-choice.js';
import { REQUESTS_PATH } from './request-log.js';
import {
  AboutFigures,
  CountsTable,
  type LogPath,
  OperationsTable,
  PeriodChart,
  PeriodLinks,
  UsageFigures,
  UsageFilters,
} from './usage-parts.js';
import { readUsageQuery, shownTime, topLists, type UsageQuery } from './usage-query.js';

const PATH = '/usage';

/** A minute in the form of the log's time filters; empty if undefined. */
const minuteText = (minute: number | undefined) =>
  minute === undefined ? '' : new Date(minute * MINUTE_MS).toISOString().slice(0, 16);

interface FiltersProps {
  readonly query: UsageQuery;
  readonly projects: readonly Project[];
  readonly keys: Awaited<ReturnType<typeof keysToChoose>>;
}

const Filters = ({ query, projects, keys }: FiltersProps) => (
  <UsageFilters path={PATH} query={query}>
    <ChoiceField
      name="project"
      label="Project"
      value={query.project}
      any="All projects"
      choices={projects.map(({ id, name }) => [id, name] as const)}
    />
    <KeyChoice from={keys} chosen={query.key} ownerOf={({ projectName }) => projectName} allPath="/keys" />
  </UsageFilters>
);

/** GET /usage: the outcomes of requests of an account, a project or a key. */
export const usagePage = signedInPage(PATH, {
  menuLabel: 'Usage',
  get: async (context) => {
    const { deps, user } = context;
    const nowMs = context.domain.clock();
    const query = readUsageQuery(context.request.query, nowMs);
    const { project, key, operation } = query;
    const lists = topLists(PATH, query);
    const filter = {
      accountId: user.account.id,
      projectId: project === '' ? undefined : project,
      keyId: key === '' ? undefined : Number(key),
      operation: operation === '' ? undefined : operation,
    };
    const [usage, projects, keys] = await Promise.all([
      deps.history.ofPeriod(shownTime(query, nowMs), filter, lists.pages),
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
        <Filters query={query} projects={projects} keys={keys} />
        <LiveRegion>
          {usage.operations.length === 0 ? (
            <p class="card">
              No request matches. Choose a longer period or show all, or{' '}
              <a href="/reference">try an operation</a>.
            </p>
          ) : (
            <>
              <UsageFigures counts={usage.all} logPath={logPath} />
              <PeriodChart usage={usage} logPath={logPath} />
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
