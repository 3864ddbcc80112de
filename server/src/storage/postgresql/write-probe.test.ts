import { createTestDatabase } from '../../../../test/fixtures/storage/test-database.js';
import { toUnavailable } from './postgresql-client.js';
import { probeWrite, writeProblem } from '../write-probe.js';

const withCode = (code: string) => Object.assign(new Error(`secret words of ${code}`), { code });

test('probes are stored in one row, and the message for an unexpected error refers to the log', async () => {
  const database = await createTestDatabase();
  const storage = await database.open();
  const queries = await storage.openPreparedQueries();
  for (const stamp of [1_000.25, 1_001.5]) await probeWrite(queries, stamp);
  expect(await storage.db('write_probe').pluck('id')).toEqual([1]);
  await storage.db.raw('ALTER TABLE write_probe RENAME TO elsewhere');
  await expect(probeWrite(queries, 1).catch(writeProblem)).resolves.toMatch(/the log says why/u);
  await queries.close();
  await storage.close();
  await database.remove();
});

test('the problem of a temporarily unusable database is described without details', () => {
  const words = ['25006', '53100', 'ECONNREFUSED', '57014'].map((code) =>
    writeProblem(toUnavailable(withCode(code))),
  );
  expect(words).toEqual([
    'It can only be read: it may be a standby, or set to read-only.',
    'Its disk is full: make room there.',
    'It does not answer.',
    'It does not answer.',
  ]);
});
