import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { mountSystem, runInRoot, unmountSystem } from './chroot.mjs';
import { runCommand } from './run-command.mjs';
import { imageSettings } from './dockerfile.mjs';

/** Carries out COPY, as far as the Dockerfile uses it: files into a folder, one file or folder to a name, or all to all. */
async function copy({ rest, root, workdir, stages, contextRoot, copyFromContext }) {
  const words = rest.split(/\s+/u);
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
  if (words[0].startsWith('--')) throw new Error(`The checks do not know this option of COPY: ${words[0]}`);
  const target = words.pop();
  if (target === '/') return runCommand('cp', ['--archive', `${join(stages.get(from), words[0])}/.`, root]);
  const isIntoFolder = target.endsWith('/') || words.length > 1;
  const place = join(root, isAbsolute(target) ? target : join(workdir, target));
  for (const source of words) {
    const path = join(from === undefined ? contextRoot : stages.get(from), source);
    if (isIntoFolder && statSync(path).isDirectory())
      throw new Error(`Docker would copy what is in ${source}, and not the folder itself: COPY ${rest}`);
    const copied = isIntoFolder ? join(place, basename(source)) : place;
    mkdirSync(dirname(copied), { recursive: true });
    if (from === undefined) copyFromContext(source, copied);
    else cpSync(path, copied, { recursive: true, verbatimSymlinks: true });
  }
}

const CACHES = /^(?:--mount=type=cache,\S+\s+)+/u;

/** The command of RUN. */
function commandOf(rest) {
  const command = rest.replace(CACHES, '');
  if (command.startsWith('--')) throw new Error(`The checks do not know this option of RUN: ${command}`);
  return command;
}

/** Empties the folders that only keep what was fetched for the next build: nothing of them is in the image. */
function emptyCaches(rest, root, binds) {
  const [options = ''] = CACHES.exec(rest) ?? [];
  const bound = new Set(binds.map(({ target }) => join(root, target)));
  const folders = [...options.matchAll(/target=\/([^,\s]+)/gu)].map(([, target]) => target);
  for (const target of folders.filter((each) => existsSync(join(root, each))))
    for (const name of readdirSync(join(root, target)))
      if (!bound.has(join(root, target, name))) rmSync(join(root, target, name), { recursive: true });
}

/**
 * Carries out the Dockerfile's own instructions in clean roots, each stage in one of its own, so that what is checked
 * cannot differ from what Docker builds. `makeBase` makes the root that a base image stands for.
 */
export async function buildImage({
  stages,
  folder,
  contextRoot,
  copyFromContext,
  makeBase,
  binds,
  buildEnvironment,
}) {
  const roots = new Map();
  for (const stage of stages) {
    const root = join(folder, `stage-${stage.name}`);
    await makeBase(stage.base, root);
    let isMounted = false;
    let workdir = '/';
    const environment = {};
    for (const instruction of stage.instructions) {
      const { name, rest } = instruction;
      if (name === 'WORKDIR') {
        workdir = rest;
        mkdirSync(join(root, workdir), { recursive: true });
      } else if (name === 'ENV') {
        Object.assign(environment, imageSettings({ instructions: [instruction] }).environment);
      } else if (name === 'COPY') {
        await copy({ rest, root, workdir, stages: roots, contextRoot, copyFromContext });
      } else if (name === 'RUN') {
        // Not before: an empty root has nothing to mount on until everything is copied into it.
        if (!isMounted) await mountSystem(root, binds);
        isMounted = true;
        await runInRoot(root, ['/bin/sh', '-c', `cd ${workdir} && ${commandOf(rest)}`], {
          ...buildEnvironment,
          ...environment,
        });
        emptyCaches(rest, root, binds);
      }
    }
    if (isMounted) await unmountSystem(root, binds);
    roots.set(stage.name, root);
  }
  const image = roots.get(stages.at(-1).name);
  const bytes = await runCommand('du', ['-sb', image]);
  return {
    image,
    /** The whole Debian that the image's root is taken from. */
    system: roots.get('system'),
    megabytes: Math.round(Number.parseInt(bytes, 10) / 1e6),
    settings: imageSettings(stages.at(-1)),
  };
}
