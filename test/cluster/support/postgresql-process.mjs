import { createInterface } from 'node:readline';
import { startPostgresql } from '../../../scripts/postgresql-server.mjs';

/**
 * PostgreSQL for a test, as a separate process. Prints its URL, then executes each line that it reads, "halt SIGNAL" or
 * "resume", and prints a line when done. Ends when its standard input does.
 */
const server = await startPostgresql();
process.stdout.write(`${server.url}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [word, signal] = line.split(' ');
  if (word === 'halt') await server.halt(signal);
  else await server.resume();
  process.stdout.write('done\n');
}
await server.stop();
process.exit(0);
