import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../server/src/app/config.js';

const folder = join(import.meta.dirname, '../../.github/workflows');
const workflows = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

const jobs = workflows.flatMap((text) => (text.split('\njobs:\n')[1] ?? '').split(/\n\n(?= {2}\w+:\n)/u));
/** Runs tests that start a browser. */
const WITH_BROWSER = /npm (?:test|run (?:test:(?!unit)|\$\{\{ matrix\.script))/u;

test('a server takes every variable that the workflows set for it', () => {
  for (const text of workflows) {
    const set = [...text.matchAll(/^ +(SIGNPOST_\w+): '?(.*?)'?$/gmu)];
    readConfig(Object.fromEntries(set.map(([, name = '', value = '']) => [name, value])));
  }
});

test('every job with a browser lets its sandbox work before the tests', () => {
  const withBrowser = jobs.filter((job) => WITH_BROWSER.test(job));
  expect(withBrowser.length).toBeGreaterThan(3);
  for (const job of withBrowser)
    expect(job.split(WITH_BROWSER)[0]).toContain('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
});

test('the image of a release is built from one digest', () => {
  const dockerfile = readFileSync(join(folder, '../../Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gmu)].map(([, base]) => base);
  expect([...new Set(bases)]).toEqual(['${NODE_IMAGE}', 'scratch']);
  const image = jobs.find((job) => job.includes('docker/build-push-action')) ?? '';
  expect(image).toContain('echo "image=$base@$digest"');
  expect(image).toContain('build-args: NODE_IMAGE=${{ steps.base.outputs.image }}');
});
