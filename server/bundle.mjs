import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** What is installed beside the bundle: programs for this machine, and what is read as a file. */
const INSTALLED = Object.keys(readJson(pathOf('package.json')).dependencies);
/** Drivers that libraries ask for by name where somebody has them. */
const NOT_IN_USE = [
  ...['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'tedious'],
  ...['pg-native', 'pg-query-stream'],
];
/** The program, and what it starts as a thread and as a process. */
const PROGRAMS = ['main.js', 'capture/worker/capture-thread.js', 'app/import-process.js'];

/** Bundles for a folder of `dist`; answers the folders of the packages whose code came in. */
async function bundle(folder, options) {
  const { metafile } = await build({
    ...{
      outdir: join('dist', folder),
      absWorkingDir: pathOf('.'),
      bundle: true,
      format: 'esm',
      metafile: true,
    },
    ...{ logLevel: 'warning', ...options },
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path) ?? []);
  return [...new Set(folders)].map((path) => pathOf(path));
}

/** The list of the packages for scanners that look for known holes; what is installed they find by itself. */
const billOfMaterials = (packages) => ({
  ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
  components: packages.map(({ name, version, licence }) => ({
    ...{ type: 'library', name, version, licenses: [{ license: { id: licence } }] },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })),
});

/** What a package says of its name and licence, with the text of that. */
function licenceOf(folder) {
  const { name, version, license: licence } = readJson(join(folder, 'package.json'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/iu.test(each));
  return {
    name,
    version,
    licence,
    text: file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim(),
  };
}

const inOrder = (one, other) => (one.name < other.name ? -1 : Number(one.name > other.name));

/**
 * Makes few files of what was compiled and of its packages, which start in half the time. Nothing is shortened, so that
 * a stack can be read. Answers the packages; with `{ write: false }` that alone.
 */
export async function bundlePrograms({ write = true } = {}) {
  const folders = await bundle('program', {
    entryPoints: PROGRAMS.map((name) => join('dist', name)),
    ...{ entryNames: '[name]', splitting: true, platform: 'node', target: 'node20', write },
    external: [...INSTALLED, ...NOT_IN_USE],
    // For the packages that are CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  return folders.map(licenceOf).toSorted(inOrder);
}

/** Makes one file of the scripts of the pages, so that a page asks for one. */
const bundlePageScript = () =>
  bundle('browser', { entryPoints: ['browser/console.ts'], minify: true, target: 'es2022' });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of ['browser', 'program'])
    rmSync(pathOf(`dist/${folder}`), { recursive: true, force: true });
  await bundlePageScript();
  const packages = await bundlePrograms();
  const texts = packages.map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`,
  );
  writeFileSync(pathOf('dist/program/packages.cdx.json'), JSON.stringify(billOfMaterials(packages)));
  writeFileSync(pathOf('dist/program/licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}
