import { useContext } from 'preact/hooks';
import { Facts as FactList } from '../layout/facts.js';
import { CodeBlock } from '../layout/copyable.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formatDistance } from '../layout/formatting.js';
import { operationPath } from '../layout/operation-path.js';
import { NullWords } from './null-words.js';
import { typedText } from '../request/json-schema.js';
import { labelOf } from '../request/request-fields.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const COORDINATE_DIGITS = 5;
/** A text that is longer than this is shown in a box of its own. */
const LONG_CHARACTERS = 300;

export const PostcodeLink = ({ postcode }: { readonly postcode: string }) => (
  <a class="nowrap" href={operationPath('lookupPostcode', { postcode })}>
    {postcode}
  </a>
);

export function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const nothing = <span class="muted">{useContext(NullWords).get(name) ?? 'not known'}</span>;
  if (value === null || value === undefined) return nothing;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (typeof value === 'number')
    return (
      <>
        {/metres$/iu.test(name)
          ? formatDistance(value)
          : value.toLocaleString('en-GB', { maximumFractionDigits: COORDINATE_DIGITS })}
      </>
    );
  if (Array.isArray(value))
    return value.length === 0 ? <span class="muted">none</span> : <>{value.map(typedText).join(', ')}</>;
  const text = typedText(value);
  return name === 'postcode' ? <PostcodeLink postcode={text} /> : <>{text}</>;
}

const isPlain = (value: unknown) =>
  !isObject(value) &&
  !(Array.isArray(value) && value.some(isObject)) &&
  !(typeof value === 'string' && value.length > LONG_CHARACTERS);

/** A field that needs more than a line: a long text in a box, or an object or a list of objects folded up. */
function LongValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (typeof value === 'string')
    return <CodeBlock id={`answer-${name}`} label={labelOf(name)} code={value} fileName={`${name}.txt`} />;
  return (
    <details>
      <summary>{labelOf(name)}</summary>
      {Array.isArray(value) ? <Rows rows={value} label={labelOf(name)} /> : null}
      {isObject(value) ? <Facts facts={value} /> : null}
    </details>
  );
}

/**
 * The fields of one record: first a list of names and values, then each object, list of objects and long text by
 * itself.
 */
export function Facts({ facts }: { readonly facts: JsonObject }) {
  const entries = Object.entries(facts);
  const plain = entries.filter(([, value]) => isPlain(value));
  return (
    <>
      <FactList facts={plain.map(([name, value]) => [labelOf(name), <Value name={name} value={value} />])} />
      {entries
        .filter(([, value]) => !isPlain(value))
        .map(([name, value]) => (
          <LongValue name={name} value={value} />
        ))}
    </>
  );
}

/**
 * The columns of a table whose rows have more than `MAX_COLUMNS` fields that fit into a line. Columns that the rows
 * lack are left out.
 */
const RECORD_COLUMNS = ['postcode', 'distanceMetres', 'ward', 'localAuthority', 'isActive'];
const MAX_COLUMNS = 6;

function columnsOf(rows: readonly unknown[]): readonly string[] {
  const first = rows.find(isObject) ?? {};
  const names = Object.keys(first).filter((name) => isPlain(first[name]));
  if (names.length <= MAX_COLUMNS) return names;
  return RECORD_COLUMNS.filter((name) => names.includes(name));
}

interface RowsProps {
  readonly rows: readonly unknown[];
  readonly label: string;
  /** The entries of the request, as texts, if the answer has one row for each of them. */
  readonly requested?: readonly string[] | undefined;
}

/** A row with its 0-based position in the answer. */
interface ListRow {
  readonly index: number;
  readonly row: unknown;
}

const columnFor = (name: string): Column<ListRow> => ({
  title: labelOf(name.replace(/Metres$/u, '')),
  kind: name === 'postcode' ? 'head' : 'text',
  // A null row has no fields, so its cells say what null means in `results`.
  cell: ({ row }) =>
    isObject(row) ? <Value name={name} value={row[name]} /> : <Value name="results" value={null} />,
});

/** A list of items as a table, numbered as on the map. If all items are texts, which are postcodes, a list of links. */
export function Rows({ rows, label, requested }: RowsProps) {
  if (rows.length === 0) return <p>None.</p>;
  if (rows.every((row) => typeof row === 'string'))
    return (
      <ol class="postcode-list">
        {rows.map((postcode, index) => (
          <li data-row={index}>
            <PostcodeLink postcode={postcode} />
          </li>
        ))}
      </ol>
    );
  const columns: readonly Column<ListRow>[] = [
    { title: 'No.', kind: 'number', cell: ({ index }) => index + 1 },
    ...(requested === undefined ? [] : [{ title: 'Asked', cell: ({ index }: ListRow) => requested[index] }]),
    ...columnsOf(rows).map(columnFor),
  ];
  return (
    <DataTable
      label={label}
      class="answer-rows"
      columns={columns}
      rows={rows.map((row, index) => ({ index, row }))}
      numberOf={({ index }) => index}
    />
  );
}
