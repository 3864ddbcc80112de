import { startPostgresql } from '../scripts/postgresql-server.mjs';

// This program runs PostgreSQL. It prints the URL of the database, and stops when its standard input ends.
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
