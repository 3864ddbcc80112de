import type { Key } from '../../keys/key.js';
import { keyPath } from '../keys/key-path.js';
import { Moment } from '../layout/moment.js';

interface RevokedKeysProps {
  readonly projectName: string;
  readonly keys: readonly Key[];
}

const momentOf = (timeMs: number | null) => (timeMs === null ? 'never' : <Moment timeMs={timeMs} />);

/** The revoked keys of a project, folded away. */
export function RevokedKeys({ projectName, keys }: RevokedKeysProps) {
  if (keys.length === 0) return null;
  return (
    <details class="revoked">
      <summary>
        {keys.length === 1 ? '1 revoked key' : `${keys.length.toLocaleString('en-GB')} revoked keys`}
      </summary>
      <div class="table keys" tabindex={0} role="region" aria-label={`Revoked keys of ${projectName}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">State</th>
              <th scope="col">Revoked at</th>
              <th scope="col">Last used</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <th scope="row" class="nowrap">
                  <a href={keyPath(key.id)}>
                    <code>{key.prefix}…</code>
                  </a>
                </th>
                <td>
                  <span class="badge danger">revoked</span>
                </td>
                <td class="nowrap">{momentOf(key.revokedAtMs)}</td>
                <td class="nowrap">{momentOf(key.lastUsedAtMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
