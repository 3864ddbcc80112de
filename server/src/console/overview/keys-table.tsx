import { keyPath } from '../keys/key-path.js';
import { KeyState } from '../keys/key-state.js';
import { leftWords, limitWords } from '../keys/limit-words.js';
import { Moment } from '../layout/moment.js';
import type { UsedKey } from './read-account-usage.js';

interface KeysTableProps {
  readonly projectName: string;
  readonly usedKeys: readonly UsedKey[];
}

function KeyRow({ usedKey }: { readonly usedKey: UsedKey }) {
  const { key, limits, requestsToday, leftToday } = usedKey;
  return (
    <tr>
      <th scope="row" class="nowrap">
        <a href={keyPath(key.id)}>
          <code>{key.prefix}…</code>
        </a>
      </th>
      <td class="nowrap">
        <KeyState ownKey={key} leftToday={leftToday} />
      </td>
      <td class="number">{requestsToday.toLocaleString('en-GB')}</td>
      <td class="number">{leftWords(leftToday)}</td>
      <td class="key-words">{limitWords(limits)}</td>
      <td class="key-words">{key.lastUsedAtMs === null ? 'never' : <Moment timeMs={key.lastUsedAtMs} />}</td>
      <td class="number">
        <a class="button small" href={`${keyPath(key.id)}/revoke`}>
          Revoke<span class="visually-hidden"> {key.prefix}</span>
        </a>
      </td>
    </tr>
  );
}

/** The live keys of a project. */
export function KeysTable({ projectName, usedKeys }: KeysTableProps) {
  return (
    <div class="table keys" tabindex={0} role="region" aria-label={`Keys of ${projectName}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Used today
            </th>
            <th scope="col" class="number">
              Left today
            </th>
            <th scope="col">Limits</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {usedKeys.map((usedKey) => (
            <KeyRow key={usedKey.key.id} usedKey={usedKey} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
