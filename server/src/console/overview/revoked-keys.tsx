import { keyPath } from '../keys/key-path.js';
import { OlderRevokedKeys } from '../keys/older-revoked-keys.js';
import type { RevokedKeysOfProject } from '../keys/shown-keys.js';
import { Moment } from '../layout/moment.js';

interface RevokedKeysProps {
  readonly projectName: string;
  readonly revoked: RevokedKeysOfProject;
}

const momentOf = (timeMs: number | null) => (timeMs === null ? 'never' : <Moment timeMs={timeMs} />);

/** The revoked keys of a project, folded away. */
export function RevokedKeys({ projectName, revoked }: RevokedKeysProps) {
  const { shown, count } = revoked;
  if (count === 0) return null;
  return (
    <details class="revoked">
      <summary>{count === 1 ? '1 revoked key' : `${count.toLocaleString('en-GB')} revoked keys`}</summary>
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
            {shown.map((key) => (
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
      <OlderRevokedKeys revoked={revoked} />
    </details>
  );
}
