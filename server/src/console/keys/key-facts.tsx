import type { Key } from '../../keys/key.js';
import type { Limits } from '../../usage/admission.js';
import { Moment } from '../layout/moment.js';
import { limitWords } from './limit-words.js';

interface KeyFactsProps {
  readonly ownKey: Key;
  readonly limits: Limits;
}

/** What is known of a key beside its usage. */
export function KeyFacts({ ownKey, limits }: KeyFactsProps) {
  const { projectName, createdAtMs, lastUsedAtMs, revokedAtMs } = ownKey;
  return (
    <dl class="facts">
      <dt>Project</dt>
      <dd>{projectName}</dd>
      {revokedAtMs === null ? (
        <>
          <dt>Limits</dt>
          <dd>{limitWords(limits)}; set by the operator of this server</dd>
        </>
      ) : null}
      <dt>Last used</dt>
      <dd>{lastUsedAtMs === null ? 'never' : <Moment timeMs={lastUsedAtMs} />}</dd>
      <dt>Created</dt>
      <dd>
        <Moment timeMs={createdAtMs} />
      </dd>
      {revokedAtMs === null ? null : (
        <>
          <dt>Revoked</dt>
          <dd>
            <Moment timeMs={revokedAtMs} />
          </dd>
        </>
      )}
    </dl>
  );
}
