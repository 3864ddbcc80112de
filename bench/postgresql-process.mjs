import { startPostgresql } from '../scripts/postgresql-server.mjs';

/** A PostgreSQL of its own, as a process: prints its URL, and ends when its standard input does. */
const server = await startPostgresql();
process.stdout.write(`${server.url}\n`);
process.stdin.resume().once('end', () => {
  server.stop().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`PostgreSQL does not stop: ${error}\n`);
      process.exit(1);
    },
  );
});
