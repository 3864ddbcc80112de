import { openDirectoryStore } from '@signpost/server/directory-store';

/** A postcode in use, and its location. */
export interface KnownPostcode {
  readonly postcode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The fractional parts of its multiples are spread evenly, in no visible order. They choose rows. */
const GOLDEN_RATIO = 0.618_033_988_75;
const MAX_ATTEMPTS = 100;

/**
 * Up to `count` different postcodes in use, from all over a server's directory. They are in mixed order, the same in
 * every run.
 */
export async function postcodesAllOver(dataDir: string, count: number): Promise<readonly KnownPostcode[]> {
  const store = await openDirectoryStore({ dataDir });
  const directory = store.current();
  const { keys, rows } = directory.table;
  const found = new Map<number, KnownPostcode>();
  for (let step = 0; found.size < count && step < MAX_ATTEMPTS * count; step += 1) {
    const row = Math.floor(keys.length * ((step * GOLDEN_RATIO) % 1));
    const { postcode, latitude, longitude } = directory.record(row);
    if (!rows.isActive(row) || latitude === null || longitude === null) continue;
    found.set(row, { postcode, latitude, longitude });
  }
  await store.close();
  return [...found.values()];
}
