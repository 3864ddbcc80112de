import type { ReadContext } from '../../audit/domain-context.js';
import type { Key } from '../../keys/key.js';
import { type KeyPage, listKeyPage } from '../../keys/list-keys.js';
import { keyLabel } from '../keys/key-display.js';
import { formatCount } from '../layout/formatting.js';
import { Select } from '../layout/select.js';

/** The maximum number of recently used keys to choose from. */
const MAX_KEYS = 50;

export interface KeysToChoose {
  readonly keys: readonly Key[];
  /** Whether there are more than `MAX_KEYS` keys that have not ended. */
  readonly isCut: boolean;
}

/** The keys to choose from: the most recently used ones that have not ended, and the chosen key in any state. */
export async function keysToChoose(
  domain: ReadContext,
  { projectId, ...of }: Pick<KeyPage, 'accountId' | 'projectId'>,
  chosen: string,
): Promise<KeysToChoose> {
  const sort = { by: 'used', isDescending: true } as const;
  const lastUsed = { ...of, projectId, state: 'notEnded', sort, offset: 0, limit: MAX_KEYS } as const;
  const [{ keys: recentKeys, total }, chosenPage] = await Promise.all([
    listKeyPage(domain, lastUsed),
    chosen === '' ? undefined : listKeyPage(domain, { ...of, id: Number(chosen), offset: 0, limit: 1 }),
  ]);
  const chosenKeys = (chosenPage?.keys ?? []).filter(({ id }) => !recentKeys.some((key) => key.id === id));
  return { keys: [...recentKeys, ...chosenKeys], isCut: total > recentKeys.length };
}

interface KeyChoiceProps {
  readonly from: KeysToChoose;
  readonly chosen: string;
  readonly ownerOf: (key: Key) => string;
  readonly allPath: string;
}

export const KeyChoice = ({ from: { keys, isCut }, chosen, ownerOf, allPath }: KeyChoiceProps) => (
  <Select
    name="key"
    label="Key"
    value={chosen}
    choices={[
      ['', 'All keys'],
      ...keys.map((key) => [String(key.id), `${ownerOf(key)}: ${keyLabel(key)}`] as const),
    ]}
    {...(isCut
      ? {
          hint: (
            <>
              The {formatCount(MAX_KEYS)} that were used last, of <a href={allPath}>all keys</a>.
            </>
          ),
        }
      : {})}
  />
);
