import { listProjects } from '../../accounts/project.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { ChoiceField } from '../layout/filter-form.js';
import { withQuery } from '../layout/list.js';
import { signedInPage } from '../routing/page.js';
import { KeyChoice } from './key-choice.js';
import { REQUESTS_PATH } from './request-log.js';
import { CountsTable, keyRows, type LogPath, OperationsTable } from './usage-parts.js';
import { readUsage, UsageView } from './usage-view.js';

const PATH = '/usage';

/** A time in minutes since 1970, in the form of the log's time filters; empty if undefined. */
const minuteText = (minute: number | undefined) =>
  minute === undefined ? '' : new Date(minute * MINUTE_MS).toISOString().slice(0, 16);

/** GET /usage: the outcomes of the requests of the signed-in person's account, or of one of its projects or keys. */
export const usagePage = signedInPage(PATH, {
  menuLabel: 'Usage',
  get: async (context) => {
    const { id } = context.user.account;
    const [{ query, lists, usage, keys }, projects] = await Promise.all([
      readUsage(context, PATH, () => id),
      listProjects(context.domain, id),
    ]);
    const { key, operation } = query;
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
      <UsageView
        path={PATH}
        query={query}
        usage={usage}
        logPath={logPath}
        advice={
          <>
            Choose a longer period or show all, or <a href="/reference">try an operation</a>.
          </>
        }
        filters={
          <>
            <ChoiceField
              name="project"
              label="Project"
              value={query.project}
              any="All projects"
              choices={projects.map(({ id, name }) => [id, name] as const)}
            />
            <KeyChoice from={keys} chosen={key} ownerOf={({ projectName }) => projectName} allPath="/keys" />
          </>
        }
      >
        <OperationsTable usage={usage} />
        <CountsTable
          title="By key"
          of="Key"
          rows={keyRows(usage.keys, ({ keyId }) => withQuery(REQUESTS_PATH, { key: String(keyId) }))}
          sorting={lists.sorting}
          pages={{ ...lists.keys, total: usage.keyTotal }}
        />
      </UsageView>,
    );
  },
});
