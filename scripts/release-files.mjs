import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleMcp } from './mcp-bundle.mjs';
import { packPackages } from './pack-packages.mjs';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const ENGINES = ['docker', 'podman'];

/** The first container engine that responds on this machine, if any. */
const findEngine = () => ENGINES.find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);

/** Builds the image and saves it as a file for `docker load`; returns false if there is no container engine. */
async function saveImage(version, folder) {
  const engine = findEngine();
  if (engine === undefined) return false;
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const tag = `signpost:${version}`;
  const label = `org.opencontainers.image.revision=${revision}`;
  const file = join(folder, `signpost-image-${version}-${process.arch}.tar`);
  const steps = {
    'Building the image': ['build', '--label', label, '--tag', tag, '.'],
    'Saving the image': ['save', '--output', file, tag],
  };
  for (const [title, args] of Object.entries(steps))
    await runStep({ title, command: engine, args, advice: 'The lines above say what to change.' });
  return true;
}

/** The checksums of all files in a folder, in the format of `sha256sum --check`. */
export function checksums(folder) {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  return lines.join('');
}

/**
 * Empties the folder, and makes the files of a release in it. Needs a build. Resolves to the folder and what was left
 * out: the image, if no container engine responds.
 */
export async function makeReleaseFiles(version, folder = join(root, '.cache', 'release')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = await packPackages();
  const { path: bundle } = await bundleMcp(packages['signpost-mcp']);
  for (const path of [...Object.values(packages), bundle]) copyFileSync(path, join(folder, basename(path)));
  const hasImage = await saveImage(version, folder);
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
  return { folder, leftOut: hasImage ? [] : ['the image: no container engine answers on this machine'] };
}
