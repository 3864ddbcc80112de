import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatCount, formatMegabytes, Timestamp } from '../layout/formatting.js';

const editionOf = ({ isSample, source, edition }: DirectoryInfo) =>
  isSample ? 'sample' : `${source} ${edition}`;

interface DirectoryInUseProps {
  readonly info: DirectoryInfo;
  /** The size of the directory's file in bytes; undefined if there is no file. */
  readonly bytes: number | undefined;
}

/** The directory in use, at a glance. */
export function DirectoryInUse({ info, bytes }: DirectoryInUseProps) {
  const figures = [
    ['Postcodes', formatCount(info.rows)],
    ['In use', formatCount(info.live)],
    ['Terminated', formatCount(info.terminated)],
    ['No coordinates', formatCount(info.withoutCoordinates)],
    ...(bytes === undefined ? [] : [['Size', formatMegabytes(bytes)]]),
  ];
  return (
    <section class="card" aria-labelledby="in-use">
      <h2 id="in-use">In use: {editionOf(info)}</h2>
      <dl class="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        {info.importedAt === null ? (
          'It is built in, so that a new server can answer at once. All other postcodes are unknown.'
        ) : (
          <>
            Imported <Timestamp timeMs={Date.parse(info.importedAt)} />
            {info.withoutNorthernIreland ? ', without Northern Ireland' : ''}.
          </>
        )}
      </p>
    </section>
  );
}

/** The details that a directory contains about itself. */
export function DirectoryFacts({ info }: Pick<DirectoryInUseProps, 'info'>) {
  return (
    <dl class="facts">
      <dt>Edition</dt>
      <dd>{editionOf(info)}</dd>
      <dt>Postcodes</dt>
      <dd>{formatCount(info.rows)}</dd>
      <dt>In use</dt>
      <dd>{formatCount(info.live)}</dd>
      <dt>Terminated</dt>
      <dd>{formatCount(info.terminated)}</dd>
      <dt>No coordinates</dt>
      <dd>{formatCount(info.withoutCoordinates)}</dd>
      {info.importedAt === null ? null : (
        <>
          <dt>Imported</dt>
          <dd>
            <Timestamp timeMs={Date.parse(info.importedAt)} />
          </dd>
        </>
      )}
      {info.withoutNorthernIreland ? (
        <>
          <dt>Left out</dt>
          <dd>Northern Ireland</dd>
        </>
      ) : null}
    </dl>
  );
}
