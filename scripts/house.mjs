import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { root } from './root.mjs';

// Prints how large the code is: npm run house -- [--language PROGRAM] [COMMIT]
// With a commit, or the folder of another checkout, the table compares it with this checkout. PROGRAM lists the phrases
// of a checkout that are hard to read, and then prints their number.

const CODE = /\.(?:ts|tsx|mts|mjs|cjs|js|sh)$/u;
const SCRIPT = /\.(?:ts|tsx|mts|mjs|cjs|js)$/u;
const TEST = /\.test\.tsx?$/u;
const PRODUCT = /^(?:server\/(?:src|browser|bin)|contract\/src|mcp\/(?:src|bin)|nodes|credentials)\//u;
/** The parts of a checkout, which may overlap. Each function says whether a file belongs to the part. */
const PARTS = {
  product: (file) => PRODUCT.test(file) && CODE.test(file) && !TEST.test(file),
  scripts: (file) => /^(?:scripts|\.ci)\//u.test(file),
  bench: (file) => file.startsWith('bench/') && CODE.test(file),
  deploy: (file) => file.startsWith('deploy/') || file === 'Dockerfile',
  'test/deploy': (file) => file.startsWith('test/deploy/'),
  tests: (file) => TEST.test(file) || (file.startsWith('test/') && CODE.test(file)),
};

function linesOfFunctions(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const lines = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined)
      lines.push(lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function measure(checkout, program) {
  const list = execFileSync('git', ['ls-files', '-z'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const files = list.split('\0').filter((file) => file !== '');
  const figures = {};
  for (const [part, isIn] of Object.entries(PARTS)) {
    const own = files.filter(isIn);
    const lines = own.map((file) => readFileSync(join(checkout, file), 'utf8').split('\n').length - 1);
    figures[`${part}: files`] = own.length;
    figures[`${part}: lines`] = lines.reduce((sum, count) => sum + count, 0);
  }
  const functions = files
    .filter((file) => PARTS.product(file) && SCRIPT.test(file))
    .flatMap((file) => linesOfFunctions(join(checkout, file)))
    // Leaves out functions of one line, because most of them are arguments, such as of a filter.
    .filter((count) => count > 1)
    .sort((a, b) => a - b);
  figures['product: median function of more than one line'] = functions[Math.floor(functions.length / 2)];
  figures['product: longest function'] = functions.at(-1);
  if (program !== undefined) {
    const output = execFileSync(resolve(program), [], {
      cwd: checkout,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    figures['findings of the language check'] = Number(/(\d+)\D*$/u.exec(output)?.[1]);
  }
  return figures;
}

/**
 * Returns the folder `name` if it exists. Otherwise checks out the commit `name` in a temporary folder, until this
 * program ends.
 */
function checkOut(name) {
  if (existsSync(name)) return resolve(name);
  const folder = mkdtempSync(join(tmpdir(), 'signpost-house-'));
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, name], { cwd: root });
  process.on('exit', () => execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root }));
  return folder;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string' } },
});
const checkouts = [...positionals.map(checkOut), root];
const results = checkouts.map((checkout) => measure(checkout, values.language));
const table = Object.keys(results[0]).map((name) => [name, results.map((figures) => figures[name])]);
console.table(Object.fromEntries(table.map(([name, all]) => [name, columns(all)])));

function columns([first, second]) {
  return second === undefined ? { now: first } : { before: first, now: second, difference: second - first };
}
