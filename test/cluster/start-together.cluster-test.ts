import { MIGRATIONS } from '../../server/src/storage/migrations/migrate.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { rowsIn } from './support/counted.js';
import { lookUp } from './support/requests.js';

const SERVERS = 5;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ servers: Array<Record<string, string>>(SERVERS).fill({}) });
});
afterAll(() => cluster.remove());

test('five servers that start at once on an empty database all start, and only one creates the first operator', async () => {
  const outputs = cluster.members.map(({ server }) => server.output());
  expect(outputs.filter((output) => output.includes('One-time password'))).toHaveLength(1);
  expect(outputs.filter((output) => output.includes('"level":"error"'))).toEqual([]);
  const { url } = cluster.postgresql;
  expect(await rowsIn(url, 'SELECT name FROM migrations ORDER BY id')).toEqual(
    MIGRATIONS.map(({ name }) => ({ name })),
  );
  for (const table of ['installation', 'accounts', 'projects', 'api_keys'])
    expect([table, await rowsIn(url, `SELECT count(*)::int AS rows FROM ${table}`)]).toEqual([
      table,
      [{ rows: 1 }],
    ]);
});

test('every server accepts the key of the first operator', async () => {
  for (const { url } of cluster.members)
    expect((await lookUp(url, cluster.operator.apiKey)).status).toBe(200);
});
