import type { EndedImport, ImportOutcome } from '../../postcodes/import/directory-imports.js';
import type { AreaChanges, EditionChanges } from '../../postcodes/import/edition-changes.js';
import type { ImportReport } from '../../postcodes/import/import-directory.js';
import { type NameColumn, NAME_COLUMNS } from '../../postcodes/table/directory-data.js';
import { formatCount, Timestamp } from '../layout/formatting.js';

/** What people call the columns of names. */
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

/** Some of many names, one after the other. */
function Names({ count, names }: { readonly count: number; readonly names: readonly string[] }) {
  const more = count - Math.min(names.length, MAX_SHOWN_NAMES);
  return (
    <>
      {formatCount(count)}
      {count === 0 ? null : (
        <div class="muted operator-name">
          {names.slice(0, MAX_SHOWN_NAMES).join(', ')}
          {more > 0 ? ` and ${formatCount(more)} more` : ''}
        </div>
      )}
    </>
  );
}

const isChanged = ({ counts }: AreaChanges) => counts.renamed + counts.new + counts.gone > 0;

function AreaNames({ areas }: Pick<EditionChanges, 'areas'>) {
  const columns = NAME_COLUMNS.filter((column) => isChanged(areas[column]));
  if (columns.length === 0) return <p>No name of an area changed.</p>;
  return (
    <div class="table" tabindex={0} role="region" aria-label="Names of areas that changed">
      <table aria-label="Names of areas that changed">
        <thead>
          <tr>
            <th scope="col">Areas</th>
            <th scope="col">Renamed</th>
            <th scope="col">New</th>
            <th scope="col">Gone</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => {
            const { counts, renamed, new: added, gone } = areas[column];
            return (
              <tr key={column}>
                <th scope="row">{COLUMN_WORDS[column]}</th>
                <td>
                  <Names
                    count={counts.renamed}
                    names={renamed.map(({ before, now }) => `${before} → ${now}`)}
                  />
                </td>
                <td>
                  <Names count={counts.new} names={added} />
                </td>
                <td>
                  <Names count={counts.gone} names={gone} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** What an edition changed. */
function Changes({ changes }: { readonly changes: EditionChanges }) {
  const { since, movedMetres, areas } = changes;
  const figures = [
    ['New postcodes', changes.new],
    ['Ended', changes.ended],
    ['In use again', changes.inUseAgain],
    [`Moved by over ${movedMetres} metres`, changes.moved],
    ['No longer in it', changes.gone],
  ] as const;
  return (
    <>
      <h3>
        What changed since {since.source} {since.edition}
      </h3>
      <dl class="figures">
        {figures.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <AreaNames areas={areas} />
    </>
  );
}

/** How full the columns are, and how many codes have no name. */
function Columns({ info, unknownCodes }: Pick<ImportReport, 'info' | 'unknownCodes'>) {
  return (
    <details>
      <summary>How full its columns are</summary>
      <div class="table" tabindex={0} role="region" aria-label="Columns of the directory">
        <table aria-label="Columns of the directory">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col" class="number">
                Filled
              </th>
              <th scope="col" class="number">
                Codes without a name
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Coordinates</th>
              <td class="number">{info.fillPercent.coordinates.toFixed(2)} %</td>
              <td class="number">–</td>
            </tr>
            {NAME_COLUMNS.map((column) => (
              <tr key={column}>
                <th scope="row">{COLUMN_WORDS[column]}</th>
                <td class="number">{info.fillPercent[column].toFixed(2)} %</td>
                <td class="number">{formatCount(unknownCodes[column])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Report({ report }: { readonly report: ImportReport }) {
  const { info, changes, duplicates, muchWorse, seconds } = report;
  const repeated =
    duplicates === 0 ? '' : ` ${formatCount(duplicates)} were there twice: the last row of each counts.`;
  return (
    <>
      <p>
        {formatCount(info.rows)} postcodes were read in {Math.ceil(seconds)} seconds.{repeated}
      </p>
      {muchWorse.map((what) => (
        <p key={what} class="notice">
          It was taken although {what}.
        </p>
      ))}
      {changes === null ? (
        <p class="muted">There was no edition before it to compare it with.</p>
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

/** What came of the last import since the server was started. */
export function LastImport({ last }: { readonly last: EndedImport }) {
  const { what, endedAtMs, outcome, problem } = last;
  return (
    <section class="card" aria-labelledby="last-import">
      <h2 id="last-import">The last import</h2>
      <p class="muted operator-program">
        {what}, <Timestamp timeMs={endedAtMs} />
      </p>
      {problem === undefined ? null : (
        <p class="notice danger operator-program">{problem} The directory in use stays as it is.</p>
      )}
      {outcome === undefined ? null : <Outcome outcome={outcome} />}
    </section>
  );
}
