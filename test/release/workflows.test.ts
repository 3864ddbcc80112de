import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../server/src/app/config.js';

const folder = join(import.meta.dirname, '../../.github/workflows');
const workflows = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

const jobsOf = (text: string) => (text.split('\njobs:\n')[1] ?? '').split(/\n\n(?= {2}\w+:\n)/u);
const jobs = workflows.flatMap(jobsOf);
const workflow = (name: string) => readFileSync(join(folder, name), 'utf8');
/** Runs tests that start a browser. */
const WITH_BROWSER = /npm (?:test|run (?:test:(?!unit)|\$\{\{ matrix\.script))/u;

test('a server takes every variable that the workflows set for it', () => {
  for (const text of workflows) {
    const set = [...text.matchAll(/^ +(SIGNPOST_\w+): '?(.*?)'?$/gmu)];
    readConfig(Object.fromEntries(set.map(([, name = '', value = '']) => [name, value])));
  }
});

const nameOf = (job: string) => /^ {2}(\w+):$/mu.exec(job)?.[1] ?? '';

test('nothing is published unless every job of CI has passed', () => {
  const release = new Map(jobsOf(workflow('release.yml')).map((job) => [nameOf(job), job]));
  const needs = (name: string): string[] => {
    const needed = /^ {4}needs: \[?(.+?)\]?$/mu.exec(release.get(name) ?? '')?.[1]?.split(/, */u) ?? [];
    return [...needed, ...needed.flatMap(needs)];
  };
  expect(release.get('ci')).toMatch(/^ {4}uses: \.\/\.github\/workflows\/ci\.yml$/mu);
  expect(workflow('ci.yml')).toMatch(/^ {2}workflow_call:$/mu);
  const publishing = [...release].filter(([, job]) => / write$|npm publish|push: true/mu.test(job));
  expect(publishing.map(([name]) => name)).toEqual(['publish', 'image']);
  for (const [name, job] of publishing) {
    expect([name, needs(name)]).toEqual([name, expect.arrayContaining(['ci'])]);
    expect(job).not.toMatch(/^ {4}if:/mu);
  }
});

test('CI runs every check of .ci/run, and skips or forgives none but the long form at night', () => {
  const ci = workflow('ci.yml');
  const locally = readFileSync(join(folder, '../../scripts/ci.mjs'), 'utf8');
  const scripts = [...locally.matchAll(/(?:jestSuite|jestSystem|countedSystem)\('([\w:-]+)'\)/gu)].map(
    ([, script = '']) => script,
  );
  expect(scripts.length).toBeGreaterThan(10);
  // The matrix runs the unit tests in each Node.js.
  const there = (script: string) => (script === 'test:unit:newer-node' ? 'test:unit' : script);
  for (const script of scripts)
    expect(ci).toMatch(new RegExp(`(?:npm (?:run )?|script: )${there(script)}$`, 'mu'));
  for (const command of [
    'npm ci',
    'npm run lint',
    'npm run types',
    'npm run generate -- --check',
    'npm run packages',
  ])
    expect(ci).toContain(`- run: ${command}\n`);
  expect(ci).not.toContain('continue-on-error');
  const conditional = jobsOf(ci).filter((job) => /^ {4}if:/mu.test(job));
  expect(conditional.map(nameOf)).toEqual(['long']);
});

test('every job with a browser lets its sandbox work before the tests', () => {
  const withBrowser = jobs.filter((job) => WITH_BROWSER.test(job));
  expect(withBrowser.length).toBeGreaterThan(2);
  for (const job of withBrowser)
    expect(job.split(WITH_BROWSER)[0]).toContain('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
});

test('the image of a release is built from one digest', () => {
  const dockerfile = readFileSync(join(folder, '../../Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gmu)].map(([, base]) => base);
  expect([...new Set(bases)]).toEqual(['${NODE_IMAGE}', 'packages']);
  const image = jobs.find((job) => job.includes('docker/build-push-action')) ?? '';
  expect(image).toContain('echo "image=$base@$digest"');
  expect(image).toContain('build-args: NODE_IMAGE=${{ steps.base.outputs.image }}');
});

test('the documents name the versions of n8n that the nodes are tested with', () => {
  const root = join(folder, '../..');
  const installation = readFileSync(join(root, 'scripts/n8n-install.mjs'), 'utf8');
  const [newest, oldest] = [...installation.matchAll(/^ {2}version: '(.+)',$/gmu)].map(
    ([, version]) => version,
  );
  for (const page of ['docs/n8n.md', 'nodes/README.md'])
    expect(readFileSync(join(root, page), 'utf8')).toContain(
      `release is tested with n8n ${oldest} and ${newest}.`,
    );
});
