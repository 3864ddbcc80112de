import { spawnSync } from 'node:child_process';
import { root } from './root.mjs';

/** Scripts with a long form: more rounds, more minutes, the whole directory, or installations that compile. */
const SCRIPTS = [
  'test',
  'test:postgresql',
  'test:remote-browsers',
  'test:accessibility',
  'test:packages',
  'test:faults',
  'test:cluster',
];

const env = { ...process.env, SIGNPOST_TEST_LONG: 'true' };
for (const script of SCRIPTS) {
  const { status } = spawnSync('npm', ['run', script], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
