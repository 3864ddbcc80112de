import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/run-jobs.mjs');
const outcome = z.object({ events: z.array(z.string()), results: z.array(z.string()) });

/** Runs jobs, and ends them in the order of `ends`. Returns what started and ended, in order, and the results. */
async function runJobs(slots: number, jobs: readonly { name: string; slots?: number }[], ends: string[]) {
  const program = `
    const { runJobs } = await import(${JSON.stringify(script)});
    const events = [];
    const endings = new Map();
    const running = runJobs(${JSON.stringify(jobs)}, ${slots}, async ({ name }) => {
      events.push('+' + name);
      await new Promise((resolve) => endings.set(name, resolve));
      events.push('-' + name);
      return name;
    });
    for (const name of ${JSON.stringify(ends)}) {
      while (!endings.has(name)) await new Promise(setImmediate);
      endings.get(name)();
      await new Promise(setImmediate);
    }
    process.stdout.write(JSON.stringify({ events, results: await running }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 30_000,
  });
  return outcome.parse(JSON.parse(stdout));
}

test('the jobs of the checks start in their order, as many at a time as there are slots for', async () => {
  const jobs = [{ name: 'long', slots: 2 }, { name: 'a' }, { name: 'b' }, { name: 'c' }];
  expect(await runJobs(3, jobs, ['a', 'long', 'c', 'b'])).toEqual({
    events: ['+long', '+a', '-a', '+b', '-long', '+c', '-c', '-b'],
    results: ['a', 'long', 'c', 'b'],
  });
});

test('a job that needs more slots than exist waits until all are free, and no later job starts before it', async () => {
  const jobs = [{ name: 'a' }, { name: 'whole', slots: 5 }, { name: 'b' }];
  expect(await runJobs(2, jobs, ['a', 'whole', 'b'])).toMatchObject({
    events: ['+a', '-a', '+whole', '-whole', '+b', '-b'],
  });
});
