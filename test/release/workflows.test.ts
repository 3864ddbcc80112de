import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../../server/src/app/config.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

const jobsOf = (text: string) => (text.split('\njobs:\n')[1] ?? '').split(/\n\n(?= {2}\w+:\n)/u);
const jobs = workflows.flatMap(jobsOf);
const workflow = (name: string) => readFileSync(join(folder, name), 'utf8');
/** Commands of a workflow that run tests which start a browser. */
const WITH_BROWSER = /npm run test:long|\.ci\/run/u;

test('a server knows every variable that the workflows set for it', () => {
  for (const text of workflows) {
    const set = [...text.matchAll(/^ +(SIGNPOST_\w+): '?(.*?)'?$/gmu)];
    readConfig(Object.fromEntries(set.map(([, name = '', value = '']) => [name, value])));
  }
});

/** Test scripts of package.json that are no job of the matrix of tiers in CI. */
const ELSEWHERE = ['test:watch', 'test:long', 'test:lighthouse', 'test:unit:newer-node'];
const packageJson = z.object({ scripts: z.record(z.string(), z.string()) });
const githubJobs = z.array(
  z.strictObject({ job: z.string(), node: z.number(), packages: z.string(), asRoot: z.boolean() }),
);

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

test('CI has a job for each tier and one for the checks of .ci/run; only the long tests depend on a condition', async () => {
  const script = join(root, 'scripts/tier.mjs');
  const { stdout } = await run(process.execPath, [script, '--github-jobs'], { cwd: root });
  const rows = githubJobs.parse(JSON.parse(stdout));
  const { scripts } = packageJson.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const tiers = Object.keys(scripts).filter(
    (name) => /^test(?::|$)/u.test(name) && !ELSEWHERE.includes(name),
  );
  expect(tiers.length).toBeGreaterThan(10);
  expect(new Set(rows.map(({ job }) => job))).toEqual(new Set(['checks', ...tiers]));
  for (const job of ['test', 'test:captures', 'test:processes', 'test:unit'])
    expect(rows.filter((one) => one.job === job).map(({ node }) => node)).toEqual([20, 22, 24]);

  const ci = workflow('ci.yml');
  expect(ci).toContain('include: ${{ fromJSON(needs.plan.outputs.jobs) }}');
  expect(ci).toContain('.ci/run ${{ matrix.job }}\n');
  expect(ci).not.toContain('continue-on-error');
  const conditional = jobsOf(ci).filter((job) => /^ {4}if:/mu.test(job));
  expect(conditional.map(nameOf)).toEqual(['long']);
});

test('workflows name each action of another repository by the hash of a commit', () => {
  const actions = workflows.flatMap((text) =>
    [...text.matchAll(/uses: (\S+)/gu)].map(([, name = '']) => name),
  );
  const foreign = actions.filter((name) => !name.startsWith('./'));
  expect(foreign.length).toBeGreaterThan(10);
  expect(foreign.filter((name) => !/@[0-9a-f]{40}$/u.test(name))).toEqual([]);
});

test('every job with a browser enables its sandbox before the tests', () => {
  const withBrowser = jobs.filter((job) => WITH_BROWSER.test(job));
  expect(withBrowser.map(nameOf)).toEqual(['run', 'long']);
  for (const job of withBrowser)
    expect(job.split(WITH_BROWSER)[0]).toContain('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
});

test('the image of a release is built on one base image, named by its digest', () => {
  const dockerfile = readFileSync(join(folder, '../../Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gmu)].map(([, base]) => base);
  expect([...new Set(bases)]).toEqual(['${NODE_IMAGE}', 'packages']);
  const image = jobs.find((job) => job.includes('docker/build-push-action')) ?? '';
  expect(image).toContain('echo "image=$base@$digest"');
  expect(image).toContain('build-args: NODE_IMAGE=${{ steps.base.outputs.image }}');
});

test('the documents name the versions of n8n that the nodes are tested with', () => {
  const installation = readFileSync(join(root, 'scripts/n8n-install.mjs'), 'utf8');
  const [newest, oldest] = [...installation.matchAll(/^ {2}version: '(.+)',$/gmu)].map(
    ([, version]) => version,
  );
  for (const page of ['docs/n8n.md', 'nodes/README.md'])
    expect(readFileSync(join(root, page), 'utf8')).toContain(
      `release is tested with n8n ${oldest} and ${newest}.`,
    );
});
