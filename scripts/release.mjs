import './check-node.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { lastRelease, assertReleasable, setVersion } from './release-version.mjs';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const HELP = `npm run release -- VERSION     sets the version everywhere, dates it in CHANGELOG.md, commits and tags that,
                               and makes the files of the release in .cache/release
npm run release -- --files     makes the files alone, of the version that was set

  --date YYYY-MM-DD            the date in CHANGELOG.md (default: today, UTC)
`;

const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      files: { type: 'boolean', default: false },
      date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    },
  });
  if (values.files === positionals.length > 0 || positionals.length > 1) throw new Error(HELP);
  if (!/^\d{4}-\d\d-\d\d$/u.test(values.date)) throw new Error(`--date must be YYYY-MM-DD.\n\n${HELP}`);
  return { ...values, version: positionals[0] };
}

const inNode = (title, ...args) =>
  runStep({ title, command: process.execPath, args, advice: 'The lines above say what to change.' });

/**
 * Sets the version, updates the generated files, stores sample data for the upgrade tests of later versions, and
 * commits and tags the changes.
 */
async function prepare(version, date) {
  if (git('status', '--porcelain') !== '')
    throw new Error('There are uncommitted changes: commit or stash them first.');
  assertReleasable(root, version);
  setVersion(root, version, date);
  await installPackages();
  await build();
  await inNode('Generating', join(root, 'scripts/generate.mjs'));
  await inNode(
    'Writing data of this version',
    '--import',
    'tsx',
    join(root, 'test/fixtures/releases/write.ts'),
  );
  git('add', '--all');
  git('commit', '--message', `chore: release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Signpost ${version}`);
}

try {
  const { version: newVersion, date, files } = options();
  if (!files) await prepare(newVersion, date);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (lastRelease(root) !== version)
    throw new Error(`CHANGELOG.md has no date for ${version}: give a version in place of --files.`);
  await installPackages();
  await build();
  // Imported here and not above, because the packages that this module needs have only just been installed.
  const { makeReleaseFiles } = await import('./release-files.mjs');
  const { folder, leftOut } = await makeReleaseFiles(version);
  console.log(`Signpost ${version} is in ${folder}.`);
  for (const part of leftOut) console.log(`Left out: ${part}.`);
  if (!files) console.log('Publish it with: git push --follow-tags');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
