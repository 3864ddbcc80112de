import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Turns source files of a package into JavaScript beside each other in `dist`, without checking types. */
export const compileModules = (folder, files) =>
  build({
    absWorkingDir: join(root, folder),
    entryPoints: files,
    outbase: 'src',
    outdir: 'dist',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    loader: { '.json': 'copy' },
    logLevel: 'warning',
  });
