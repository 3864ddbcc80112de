import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatCount, formatMegabytes, Timestamp } from '../layout/formatting.js';
import { type Fact, Facts, Figures } from '../layout/facts.js';

const editionOf = ({ isSample, source, edition }: DirectoryInfo) =>
  isSample ? 'sample' : `${source} ${edition}`;

interface DirectoryInUseProps {
  readonly info: DirectoryInfo;
  /** The size of the directory's file in bytes; undefined if there is no file. */
  readonly bytes: number | undefined;
}

/** The directory in use, at a glance. */
export function DirectoryInUse({ info, bytes }: DirectoryInUseProps) {
  const figures: readonly Fact[] = [
    ['Postcodes', formatCount(info.rows)],
    ['In use', formatCount(info.live)],
    ['Terminated', formatCount(info.terminated)],
    ['No coordinates', formatCount(info.withoutCoordinates)],
    ['Size', bytes !== undefined && formatMegabytes(bytes)],
  ];
  return (
    <section class="card" aria-labelledby="in-use">
      <h2 id="in-use">In use: {editionOf(info)}</h2>
      <Figures figures={figures} />
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

/** The facts that a directory gives about itself. */
export const DirectoryFacts = ({ info }: Pick<DirectoryInUseProps, 'info'>) => (
  <Facts
    facts={[
      ['Edition', editionOf(info)],
      ['Postcodes', formatCount(info.rows)],
      ['In use', formatCount(info.live)],
      ['Terminated', formatCount(info.terminated)],
      ['No coordinates', formatCount(info.withoutCoordinates)],
      ['Imported', info.importedAt !== null && <Timestamp timeMs={Date.parse(info.importedAt)} />],
      ['Left out', info.withoutNorthernIreland && 'Northern Ireland'],
    ]}
  />
);
