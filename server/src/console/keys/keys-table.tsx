import {
  isListedState,
  KEY_SORTS,
  type KeyPage,
  type KeySort,
  type ListedKey,
} from '../../keys/list-keys.js';
import type { Limits } from '../../usage/rate-limit.js';
import { remainingRequests, effectiveLimits } from '../../usage/read-key-usage.js';
import { countColumn, dayColumn, timeColumn } from '../layout/columns.js';
import { type Column, DataTable, type DataTableProps, tableProps } from '../layout/data-table.js';
import { ChoiceField, FilterForm, FilterField } from '../layout/filter-form.js';
import { type List, readList } from '../layout/list.js';
import { formatLimits, KeyLink, KeyState } from './key-display.js';
import { projectPath } from './own-key.js';
import { EmailLink, NameLink } from '../layout/formatting.js';

interface KeysTableProps extends Pick<DataTableProps<ListedKey>, 'sorting' | 'pages' | 'empty'> {
  readonly keys: readonly ListedKey[];
  readonly defaultLimits: Limits;
  readonly pathOf: (key: ListedKey) => string;
  /** Whether the viewer owns the keys, and so may open the pages of their projects. */
  readonly isOwn?: boolean;
  /** Returns the path of an account's page. Set if the keys of several accounts are listed. */
  readonly accountPathOf?: (accountId: string) => string;
}

export function KeysTable({
  keys,
  defaultLimits,
  pathOf,
  isOwn = false,
  accountPathOf,
  ...table
}: KeysTableProps) {
  const limitsOf = (key: ListedKey) => effectiveLimits(key, defaultLimits);
  // Keys of several accounts are listed with their owners in place of their limits.
  const aboutKey: Column<ListedKey> =
    accountPathOf === undefined
      ? { title: 'Limits', class: 'key-words', isLesser: true, cell: (key) => formatLimits(limitsOf(key)) }
      : {
          title: 'Account',
          sort: 'account',
          class: 'name',
          cell: ({ accountId, accountEmail }) => (
            <EmailLink href={accountPathOf(accountId)} email={accountEmail} />
          ),
        };
  const columns: readonly Column<ListedKey>[] = [
    {
      title: 'Key',
      kind: 'head',
      sort: 'key',
      cell: (key) => <KeyLink ownKey={key} href={pathOf(key)} />,
    },
    {
      title: 'State',
      cell: (key) => (
        <KeyState ownKey={key} leftToday={remainingRequests(limitsOf(key).perDay, key.requestsToday)} />
      ),
    },
    {
      title: 'Project',
      sort: 'project',
      class: 'name',
      cell: ({ projectId, projectName }) =>
        isOwn ? <NameLink href={projectPath(projectId)} name={projectName} /> : <bdi>{projectName}</bdi>,
    },
    aboutKey,
    countColumn({ title: 'Requests today', sort: 'today', of: ({ requestsToday }) => requestsToday }),
    timeColumn({ title: 'Last used', sort: 'used', of: ({ lastUsedAtMs }) => lastUsedAtMs }),
    dayColumn({ title: 'Created', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
  ];
  return <DataTable label="Keys" columns={columns} rows={keys} {...table} />;
}

/** A list of keys that can be filtered by a search text and a state. Both are in its address. */
export type KeyList = List<KeySort['by'], 'search' | 'state'>;

export const readKeyList = (path: string, query: unknown): KeyList =>
  readList(query, { path, sorts: KEY_SORTS, filters: ['search', 'state'], perPage: 50 });

export const keyPageOf = ({ filters: { search, state }, sort, paging }: KeyList): KeyPage => ({
  ...paging,
  search,
  sort,
  state: isListedState(state) ? state : undefined,
});

interface FilteredKeysProps extends KeysTableProps {
  readonly list: KeyList;
  readonly total: number;
}

export function FilteredKeys(props: FilteredKeysProps) {
  const { list, total, accountPathOf } = props;
  const { search, state } = list.filters;
  return (
    <>
      <FilterForm list={list}>
        <FilterField
          name="search"
          label={accountPathOf === undefined ? 'Key, name or project' : 'Key, name, project or e-mail'}
          value={search}
        />
        <ChoiceField
          name="state"
          label="State"
          value={state}
          any="All"
          choices={[
            ['live', 'Live'],
            ['disabled', 'Disabled'],
            ['ended', 'Revoked or ended'],
          ]}
        />
      </FilterForm>
      <KeysTable
        {...props}
        {...tableProps(list, total)}
        empty={
          <p>
            {list.isFiltered ? 'No key matches. Show all, or change the filter.' : 'There is no key yet.'}
          </p>
        }
      />
    </>
  );
}
