import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatCount, formatMegabytes, Timestamp } from '../layout/formatting.js';
import { type Fact, Facts, Figures } from '../layout/facts.js';
import { Card } from '../layout/card.js';

const editionOf = ({ isSample, source, edition }: DirectoryInfo) =>
  isSample ? 'sample' : `${source} ${edition}`;

const countsOf = ({ rows, live, terminated, withoutCoordinates }: DirectoryInfo): readonly Fact[] => [
  ['Postcodes', formatCount(rows)],
  ['In use', formatCount(live)],
  ['Terminated', formatCount(terminated)],
  ['No coordinates', formatCount(withoutCoordinates)],
];

interface DirectoryInUseProps {
  readonly info: DirectoryInfo;
  /** The size of the directory's file in bytes; undefined if there is no file, or it cannot be read. */
  readonly bytes: number | undefined;
}

export function DirectoryInUse({ info, bytes }: DirectoryInUseProps) {
  const size: Fact = ['Size', bytes !== undefined && formatMegabytes(bytes)];
  return (
    <Card id="in-use" title={`In use: ${editionOf(info)}`}>
      <Figures figures={[...countsOf(info), size]} />
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
    </Card>
  );
}

export const DirectoryFacts = ({ info }: Pick<DirectoryInUseProps, 'info'>) => (
  <Facts
    facts={[
      ['Edition', editionOf(info)],
      ...countsOf(info),
      ['Imported', info.importedAt !== null && <Timestamp timeMs={Date.parse(info.importedAt)} />],
      ['Left out', info.withoutNorthernIreland && 'Northern Ireland'],
    ]}
  />
);
