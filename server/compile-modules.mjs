import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Turns source files of a package into JavaScript, one file each in its `dist`, without checking types. */
export const compileModules = (folder, files) =>
  build({
    absWorkingDir: fileURLToPath(new URL(`../${folder}`, import.meta.url)),
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
