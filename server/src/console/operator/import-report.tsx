import type { EndedImport, ImportOutcome } from '../../postcodes/import/directory-imports.js';
import type { AreaChanges, EditionChanges } from '../../postcodes/import/edition-changes.js';
import { importWarnings } from '../../postcodes/edition-warnings.js';
import type { ImportReport } from '../../postcodes/import/import-directory.js';
import { type NameColumn, NAME_COLUMNS } from '../../postcodes/table/directory-data.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { Figures } from '../layout/facts.js';
import { Card } from '../layout/card.js';

const COLUMN_WORDS: Readonly<Record<NameColumn, string>> = {
  country: 'Countries',
  region: 'Regions',
  localAuthority: 'Local authorities',
  ward: 'Wards',
  constituency: 'Constituencies',
  lsoa: 'LSOAs',
  msoa: 'MSOAs',
  policeForce: 'Police forces',
  icb: 'Integrated care boards',
};

const MAX_SHOWN_NAMES = 20;
const MAX_UNFOLDED_NAMES = 3;

/**
 * The number of names, and the first `MAX_SHOWN_NAMES` of them, one per line because they may contain commas. The list
 * is folded away if there are more than `MAX_UNFOLDED_NAMES` names.
 */
function Names({ count, names }: { readonly count: number; readonly names: readonly string[] }) {
  if (count === 0) return <>0</>;
  const shown = names.slice(0, MAX_SHOWN_NAMES);
  const more = count - shown.length;
  const words = `${formatCount(count)} ${count === 1 ? 'name' : 'names'}`;
  const list = (
    <ul class="muted operator-name changed-names">
      {shown.map((name) => (
        <li>{name}</li>
      ))}
      {more > 0 ? <li>and {formatCount(more)} more</li> : null}
    </ul>
  );
  if (count <= MAX_UNFOLDED_NAMES)
    return (
      <>
        {words}
        {list}
      </>
    );
  return (
    <details>
      <summary>{words}</summary>
      {list}
    </details>
  );
}

const isChanged = ({ counts }: AreaChanges) => counts.renamed + counts.new + counts.gone > 0;

type ChangedArea = AreaChanges & { readonly column: (typeof NAME_COLUMNS)[number] };

const NAMES_COLUMNS: readonly Column<ChangedArea>[] = [
  { title: 'Areas', kind: 'head', cell: ({ column }) => COLUMN_WORDS[column] },
  {
    title: 'Renamed',
    cell: ({ counts, renamed }) => (
      <Names count={counts.renamed} names={renamed.map(({ before, now }) => `${before} → ${now}`)} />
    ),
  },
  { title: 'New', cell: ({ counts, new: added }) => <Names count={counts.new} names={added} /> },
  { title: 'Gone', cell: ({ counts, gone }) => <Names count={counts.gone} names={gone} /> },
];

function AreaNames({ areas }: Pick<EditionChanges, 'areas'>) {
  const columns = NAME_COLUMNS.filter((column) => isChanged(areas[column]));
  if (columns.length === 0) return <p>No name of an area changed.</p>;
  return (
    <DataTable
      label="Names of areas that changed"
      columns={NAMES_COLUMNS}
      rows={columns.map((column) => ({ column, ...areas[column] }))}
      class="of-names"
    />
  );
}

function Changes({ changes }: { readonly changes: EditionChanges }) {
  const { since, movedMetres, areas } = changes;
  const figures = [
    ['New postcodes', formatCount(changes.new)],
    ['Ended', formatCount(changes.ended)],
    ['In use again', formatCount(changes.inUseAgain)],
    [`Moved by over ${movedMetres} metres`, formatCount(changes.moved)],
    ['No longer in it', formatCount(changes.gone)],
  ] as const;
  return (
    <>
      <h3>
        What changed since {since.source} {since.edition}
      </h3>
      <Figures figures={figures} />
      <AreaNames areas={areas} />
    </>
  );
}

interface ColumnFill {
  readonly words: string;
  readonly percent: number;
  /** The number of different codes in the column that have no name; undefined if the column has no codes. */
  readonly unknown?: number;
}

const FILL_COLUMNS: readonly Column<ColumnFill>[] = [
  { title: 'Column', kind: 'head', cell: ({ words }) => words },
  { title: 'Filled', kind: 'number', cell: ({ percent }) => `${percent.toFixed(2)} %` },
  {
    title: 'Codes without a name',
    kind: 'number',
    cell: ({ unknown }) => (unknown === undefined ? '–' : formatCount(unknown)),
  },
];

/** The percentage of rows with a value in each column, and the number of its different codes that have no name. */
function Columns({ info: { fillPercent }, unknownCodes }: Pick<ImportReport, 'info' | 'unknownCodes'>) {
  const rows: readonly ColumnFill[] = [
    { words: 'Coordinates', percent: fillPercent.coordinates },
    ...NAME_COLUMNS.map((column) => ({
      words: COLUMN_WORDS[column],
      percent: fillPercent[column],
      unknown: unknownCodes[column],
    })),
  ];
  return (
    <details>
      <summary>How full its columns are</summary>
      <DataTable label="Columns of the directory" columns={FILL_COLUMNS} rows={rows} />
    </details>
  );
}

function Report({ report }: { readonly report: ImportReport }) {
  const { info, changes, duplicates, muchWorse, seconds } = report;
  const wholeSeconds = Math.ceil(seconds);
  const repeated =
    duplicates === 0
      ? ''
      : ` ${formatCount(duplicates)} were there twice: of each, the last live row is used, or the last row if none is live.`;
  return (
    <>
      <p>
        {formatCount(info.rows)} postcodes were read in {wholeSeconds}{' '}
        {wholeSeconds === 1 ? 'second' : 'seconds'}.{repeated}
      </p>
      {importWarnings(report).map((words) => (
        <p class="notice warn">{words}</p>
      ))}
      {muchWorse.map((what) => (
        <p class="notice">It was imported although {what}.</p>
      ))}
      {changes === null ? (
        <p class="muted">There was no previous edition to compare it with.</p>
      ) : (
        <Changes changes={changes} />
      )}
      <Columns info={info} unknownCodes={report.unknownCodes} />
    </>
  );
}

function Outcome({ outcome: { info, report } }: { readonly outcome: ImportOutcome }) {
  const edition = `${info.source} ${info.edition}`;
  return (
    <>
      <p class="notice good">
        {report === undefined
          ? `${edition} is in use and is the newest edition: nothing was done.`
          : `${edition} is in use now.`}
      </p>
      {report === undefined ? null : <Report report={report} />}
    </>
  );
}

export function LastImport({ last }: { readonly last: EndedImport }) {
  const { what, endedAtMs, outcome, problem } = last;
  return (
    <Card id="last-import" title="The last import">
      <p class="muted operator-program">
        {what}, <Timestamp timeMs={endedAtMs} />
      </p>
      {problem === undefined ? null : (
        <p class="notice danger operator-program">{problem} The directory in use stays as it is.</p>
      )}
      {outcome === undefined ? null : <Outcome outcome={outcome} />}
    </Card>
  );
}
