import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const outdir = pathOf('../dist/browser');

// Makes one file of the scripts, so that a page asks for one.
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [pathOf('console.ts')],
  outdir,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
