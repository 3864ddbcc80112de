import type { DirectoryInfo } from '../../../postcodes/directory-info.js';
import { Moment } from '../../layout/moment.js';

const count = (value: number) => value.toLocaleString('en-GB');

/** The postcode directory that answers. */
export function DirectoryCard({ info }: { readonly info: DirectoryInfo }) {
  return (
    <li class="card">
      <h2>Postcode directory</h2>
      <dl class="facts">
        <dt>Edition</dt>
        <dd>{info.isSample ? 'sample' : `${info.source} ${info.edition}`}</dd>
        <dt>Postcodes</dt>
        <dd>{count(info.rows)}</dd>
        <dt>In use</dt>
        <dd>{count(info.live)}</dd>
        <dt>Terminated</dt>
        <dd>{count(info.terminated)}</dd>
        <dt>No coordinates</dt>
        <dd>{count(info.withoutCoordinates)}</dd>
        {info.importedAt === null ? null : (
          <>
            <dt>Imported</dt>
            <dd>
              <Moment timeMs={Date.parse(info.importedAt)} />
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
    </li>
  );
}
