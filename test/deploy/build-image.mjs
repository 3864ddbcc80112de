import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { mountSystem, runInRoot, unmountSystem } from './chroot.mjs';
import { runCommand } from './run-command.mjs';
import { imageSettings } from './dockerfile.mjs';

/** Carries out COPY, as far as the Dockerfile uses it: files into a folder, or one file or folder to a name. */
function copy({ rest, root, workdir, stages, contextRoot, copyFromContext }) {
  const words = rest.split(/\s+/u);
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
  if (words[0].startsWith('--')) throw new Error(`The checks do not know this option of COPY: ${words[0]}`);
  const target = words.pop();
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

/** The command of RUN. Folders that only keep what was fetched for the next build change nothing of the image. */
function commandOf(rest) {
  const command = rest.replaceAll(/^(?:--mount=type=cache,\S+\s+)+/gu, '');
  if (command.startsWith('--')) throw new Error(`The checks do not know this option of RUN: ${command}`);
  return command;
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
    await mountSystem(root, binds);
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
        copy({ rest, root, workdir, stages: roots, contextRoot, copyFromContext });
      } else if (name === 'RUN') {
        await runInRoot(root, ['/bin/sh', '-c', `cd ${workdir} && ${commandOf(rest)}`], {
          ...buildEnvironment,
          ...environment,
        });
      }
    }
    await unmountSystem(root, binds);
    roots.set(stage.name, root);
  }
  const image = roots.get(stages.at(-1).name);
  const bytes = await runCommand('du', ['-sb', image]);
  return {
    image,
    megabytes: Math.round(Number.parseInt(bytes, 10) / 1e6),
    settings: imageSettings(stages.at(-1)),
  };
}
