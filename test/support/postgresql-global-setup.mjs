import { startPostgresql } from '../../scripts/postgresql-server.mjs';

/** Starts the PostgreSQL of the run; the tests that are for it find it by this variable. */
export default async function setUp() {
  // The tests end servers and connections, never the database's machine.
  const server = await startPostgresql({ flags: ['-c', 'fsync=off'] });
  process.env.SIGNPOST_RUN_POSTGRESQL_URL = server.url;
  globalThis.stopPostgresqlOfRun = server.stop;
}
