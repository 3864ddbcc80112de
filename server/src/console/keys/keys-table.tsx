import {
  isListedState,
  KEY_SORTS,
  type KeyPage,
  type KeySort,
  type ListedKey,
} from '../../keys/list-keys.js';
import type { Limits } from '../../usage/rate-limit.js';
import { leftOf, limitsInForce } from '../../usage/read-key-usage.js';
import { countColumn, dayColumn, timeColumn } from '../layout/columns.js';
import { Email } from '../layout/formatting.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { ChoiceField, FilterForm, SearchField } from '../layout/filter-form.js';
import { type List, readList } from '../layout/list.js';
import { PageLinks } from '../layout/paging.js';
import { formatLimits, KeyLink, KeyState } from './key-display.js';
import { projectPath } from './own-key.js';

interface KeysTableProps {
  readonly keys: readonly ListedKey[];
  readonly defaultLimits: Limits;
  readonly pathOf: (key: ListedKey) => string;
  /** Links to a key's account, for viewers who see the keys of several accounts. */
  readonly accountPathOf?: (accountId: string) => string;
  /** How the keys are sorted, if the order can be changed. */
  readonly list?: KeyList | undefined;
}

/** Keys in any state, one per row. */
export function KeysTable({ keys, defaultLimits, pathOf, accountPathOf, list }: KeysTableProps) {
  const limitsOf = (key: ListedKey) => limitsInForce(key, defaultLimits);
  // Operators see the key's owner in place of its limits, which the account's page shows.
  const aboutKey: Column<ListedKey> =
    accountPathOf === undefined
      ? { title: 'Limits', class: 'key-words', isLesser: true, cell: (key) => formatLimits(limitsOf(key)) }
      : {
          title: 'Account',
          sort: 'account',
          class: 'name',
          cell: ({ accountId, accountEmail }) => (
            <a href={accountPathOf(accountId)}>
              <Email address={accountEmail} />
            </a>
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
      cell: (key) => <KeyState ownKey={key} leftToday={leftOf(limitsOf(key).perDay, key.requestsToday)} />,
    },
    {
      title: 'Project',
      sort: 'project',
      class: 'name',
      cell: ({ projectId, projectName }) =>
        accountPathOf === undefined ? (
          <a href={projectPath(projectId)}>
            <bdi>{projectName}</bdi>
          </a>
        ) : (
          <bdi>{projectName}</bdi>
        ),
    },
    aboutKey,
    countColumn({ title: 'Requests today', sort: 'today', of: ({ requestsToday }) => requestsToday }),
    timeColumn({ title: 'Last used', sort: 'used', of: ({ lastUsedAtMs }) => lastUsedAtMs }),
    dayColumn({ title: 'Created', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
  ];
  return <DataTable label="Keys" columns={columns} rows={keys} idOf={({ id }) => id} sorting={list} />;
}

/** A list of keys that can be filtered by a search text and a state. Both are in its address. */
export type KeyList = List<KeySort['by'], 'search' | 'state'>;

export const readKeyList = (path: string, query: unknown): KeyList =>
  readList(query, { path, sorts: KEY_SORTS, filters: ['search', 'state'], perPage: 50 });

/** The query for one page of a list of keys. */
export const keyPageOf = ({
  filters: { search, state },
  sort,
  paging: { offset, limit },
}: KeyList): KeyPage => ({
  search,
  sort,
  offset,
  limit,
  state: isListedState(state) ? state : undefined,
});

interface FilteredKeysProps extends KeysTableProps {
  readonly list: KeyList;
  readonly total: number;
}

/** A list of keys with its filters and page links. */
export function FilteredKeys(props: FilteredKeysProps) {
  const { list, total, accountPathOf } = props;
  const { search, state } = list.filters;
  return (
    <>
      <FilterForm list={list}>
        <SearchField
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
      {total === 0 ? (
        <p>{list.isFiltered ? 'No key matches. Show all, or change the filter.' : 'There is no key yet.'}</p>
      ) : (
        <>
          <KeysTable {...props} />
          <PageLinks paging={list.paging} total={total} pathOf={list.pagePath} />
        </>
      )}
    </>
  );
}
