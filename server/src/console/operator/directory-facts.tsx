import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatCount, formatMegabytes, Timestamp } from '../layout/formatting.js';

interface DirectoryFactsProps {
  readonly info: DirectoryInfo;
  /** Of its file; undefined where there is none, or it is not looked at. */
  readonly bytes?: number | undefined;
}

/** What a directory says of itself. */
export function DirectoryFacts({ info, bytes }: DirectoryFactsProps) {
  return (
    <dl class="facts">
      <dt>Edition</dt>
      <dd>{info.isSample ? 'sample' : `${info.source} ${info.edition}`}</dd>
      <dt>Postcodes</dt>
      <dd>{formatCount(info.rows)}</dd>
      <dt>In use</dt>
      <dd>{formatCount(info.live)}</dd>
      <dt>Terminated</dt>
      <dd>{formatCount(info.terminated)}</dd>
      <dt>No coordinates</dt>
      <dd>{formatCount(info.withoutCoordinates)}</dd>
      {bytes === undefined ? null : (
        <>
          <dt>Size</dt>
          <dd>{formatMegabytes(bytes)}</dd>
        </>
      )}
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
