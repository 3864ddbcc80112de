import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeDocuments } from './documents.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Optional drivers that libraries load by name if they are installed. Signpost uses none of them. */
const NOT_IN_USE = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'tedious',
  'pg-native',
  'pg-query-stream',
];
/** The programs to bundle, each with its entry files, and the packages that are installed instead of bundled. */
const PROGRAMS = [
  {
    folder: pathOf('.'),
    // The server itself, and the programs that it starts as a thread and as processes.
    entries: [
      'main.ts',
      'capture/worker/capture-thread.ts',
      'capture/file/pdf-process.ts',
      'app/import-process.ts',
    ],
    installed: Object.keys(readJson(pathOf('package.json')).dependencies),
  },
  { folder: pathOf('../mcp/'), entries: ['main.ts'], installed: ['sharp'] },
];
/** Our own packages, bundled from their sources. Their manifests name the compiled files instead. */
const SOURCES = { '@signpost/contract': pathOf('../contract/src'), 'signpost-mcp': pathOf('../mcp/src') };

/**
 * Runs esbuild in a folder. Returns the folders of the npm packages whose code is in the bundle. Throws if an entry, or
 * a module that is loaded by import(), is CommonJS.
 */
async function bundle(folder, options) {
  const { metafile } = await build({
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    metafile: true,
    logLevel: 'warning',
    ...options,
  });
  for (const { entryPoint = '' } of Object.values(metafile.outputs))
    if (metafile.inputs[entryPoint]?.format === 'cjs')
      throw new Error(`${entryPoint} is CommonJS: import() of it would find nothing but its default export.`);
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path) ?? []);
  return [...new Set(folders)].map((path) => join(folder, path));
}

/** Lists the bundled packages for vulnerability scanners, which find only installed packages by themselves. */
const billOfMaterials = (packages) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: packages.map(({ name, version, licence }) => ({
    type: 'library',
    name,
    version,
    licenses: [{ license: { id: licence } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })),
});

/** The name, version and licence of a package, and the text of the licence; the text is empty if there is none. */
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
 * Bundles a program and its packages from the sources into a few files, which load in half the time that separate
 * modules take. The code is not minified, so that stack traces stay readable. Returns the npm packages in the bundle.
 * If `write` is false, writes no files.
 */
async function bundleProgram({ folder, entries, installed }, write) {
  const folders = await bundle(folder, {
    outdir: 'dist/program',
    entryPoints: entries.map((name) => join('src', name)),
    entryNames: '[name]',
    splitting: true,
    platform: 'node',
    target: 'node20',
    write,
    // Bundles a package as an ES module if it has both forms, because import() finds the exports of an ES module.
    mainFields: ['module', 'main'],
    external: [...installed, ...NOT_IN_USE],
    alias: SOURCES,
    // CommonJS packages in the bundle call `require`.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  return folders.map(licenceOf).toSorted(inOrder);
}

/** The npm packages whose code is in the bundles. */
export async function bundledPackages() {
  const lists = await Promise.all(PROGRAMS.map((program) => bundleProgram(program, false)));
  return lists.flat();
}

/** Bundles a program anew, and writes the list and the licences of its npm packages beside it. */
async function writeProgram(program) {
  const outdir = join(program.folder, 'dist/program');
  rmSync(outdir, { recursive: true, force: true });
  const packages = await bundleProgram(program, true);
  const texts = packages.map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`,
  );
  writeFileSync(join(outdir, 'packages.cdx.json'), JSON.stringify(billOfMaterials(packages)));
  writeFileSync(join(outdir, 'licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The scripts of the pages as one file, so that a page asks for one.
  const script = {
    entryPoints: ['browser/console.ts'],
    outdir: 'dist/browser',
    minify: true,
    target: 'es2022',
  };
  await bundle(pathOf('.'), script);
  const programs = Promise.all(PROGRAMS.map(writeProgram));
  // Runs while esbuild works, because esbuild is a process of its own.
  writeDocuments();
  await programs;
}
