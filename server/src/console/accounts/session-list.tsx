import type { Session } from '../../accounts/sessions.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { ButtonForm } from '../layout/form.js';
import { Moment } from '../layout/formatting.js';
import { formFields } from '../layout/form-data.js';
import { PageLinks, type Paging, readPaging } from '../layout/paging.js';

export const END_SESSION_PATH = '/account/sessions/end';
export const END_OTHERS_PATH = '/account/sessions/end-others';

/** The columns of the session list. `ownKey` identifies the session of the viewer's browser. */
const columnsFor = (ownKey: string): readonly Column<Session>[] => [
  { title: 'Browser', kind: 'head', cell: ({ browser }) => browser ?? 'An unknown browser' },
  { title: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { title: 'Signed in', kind: 'time', cell: ({ begunAtMs }) => <Moment timeMs={begunAtMs} /> },
  { title: 'Last used, to the hour', kind: 'time', cell: ({ usedAtMs }) => <Moment timeMs={usedAtMs} /> },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ key, browser }) =>
      key === ownKey ? (
        <span class="badge good">This one</span>
      ) : (
        <ButtonForm
          action={END_SESSION_PATH}
          sends={{ session: key }}
          look="small destructive"
          about={`: ${browser ?? 'an unknown browser'}`}
        >
          Sign out there
        </ButtonForm>
      ),
  },
];

const PER_PAGE = 10;

/** Reads from the query of the account page which page of the session list to show. */
export const readSessionPaging = (query: unknown): Paging =>
  readPaging(formFields(query, ['sessions']).sessions, PER_PAGE);

interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly total: number;
  readonly paging: Paging;
  readonly ownKey: string;
}

export const SessionList = ({ sessions, total, paging, ownKey }: SessionListProps) => (
  <>
    <DataTable label="Sessions" columns={columnsFor(ownKey)} rows={sessions} />
    {total > PER_PAGE && (
      <PageLinks paging={paging} total={total} pathOf={(page) => `/account?sessions=${page}#sessions`} />
    )}
    {total > 1 && (
      <ButtonForm action={END_OTHERS_PATH} look="destructive">
        Sign out everywhere else
      </ButtonForm>
    )}
  </>
);
