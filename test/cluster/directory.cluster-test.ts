import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editionCsv, HOLYROOD, PALACE } from '../fixtures/postcodes/editions.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { lookingUp, startCalling } from './support/callers.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { createKey } from './support/requests.js';

const FOLDERS = 3;
const NEW = { ...HOLYROOD, pcds: 'EH99 9ZZ' };

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-shared-'));
  cluster = await startCluster({
    servers: Array<Record<string, string>>(FOLDERS).fill({ SIGNPOST_DATA_DIR: folder }),
  });
});
afterAll(async () => {
  await cluster.remove();
  await rm(folder, { recursive: true });
});

const importRows = async (rows: Parameters<typeof editionCsv>[1]) => {
  const file = join(folder, 'ONSPD_FEB_2025_UK.csv');
  await writeFile(file, editionCsv('2025', rows));
  return runSignpost(folder, ['postcodes', 'import', file]);
};

test('every server switches to a directory that is imported once into a shared folder, without a failed lookup', async () => {
  const { key } = await createKey(cluster, '--per-minute', 'unlimited', '--per-day', 'unlimited');
  const knows = async (url: string, postcode: string) => {
    const answer = await fetch(`${url}/api/postcode/lookup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
      body: JSON.stringify({ postcode }),
    });
    return answer.status === 200;
  };
  const known = async (postcode: string) =>
    Promise.all(cluster.members.map(({ url }) => knows(url, postcode)));

  expect(await known(NEW.pcds)).toEqual([false, false, false]);
  const callings = cluster.members.map(({ url }) => startCalling(url, lookingUp(key, 2, 5)));
  expect(await importRows([PALACE, NEW])).toMatchObject({ code: 0 });
  await waitUntil('every server has the new directory', async () =>
    (await known(NEW.pcds)).every((isKnown) => isKnown),
  );
  expect(await importRows([PALACE, HOLYROOD])).toMatchObject({ code: 0 });
  await waitUntil('every server has the one after it', async () =>
    (await known(NEW.pcds)).every((isKnown) => !isKnown),
  );
  expect(await known(HOLYROOD.pcds)).toEqual([true, true, true]);
  await Promise.all(callings.map((calling) => calling.stop()));
  const calls = callings.flatMap((calling) => calling.calls);
  expect(calls.length).toBeGreaterThan(FOLDERS);
  expect(calls.filter(({ outcome }) => outcome !== 200)).toEqual([]);
});
