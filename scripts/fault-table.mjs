import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const COLUMNS = [
  { field: 'fault', title: 'Fault', width: 30 },
  { field: 'expected', title: 'Expected', width: 40 },
  { field: 'figure', title: 'Figure', width: 60 },
];

/** Wraps text at its spaces into lines of at most `width` characters. A longer word gets a line of its own. */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/u)) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= width) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

function rowLines(row) {
  const cells = COLUMNS.map(({ field, width }) => wrap(row[field], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, column) => (lines[index] ?? '').padEnd(COLUMNS[column].width))
      .join('  ')
      .trimEnd(),
  );
}

/** Prints the rows in the files `fault-*.json` of a folder as a table, the oldest first. */
export function printFaults(folder) {
  const byTime = new Intl.Collator('en', { numeric: true });
  const names = readdirSync(folder).filter((name) => /^fault-.*\.json$/u.test(name));
  if (names.length === 0) return;
  const faults = names
    .sort(byTime.compare)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const rule = COLUMNS.map(({ width }) => '─'.repeat(width)).join('  ');
  const head = rowLines(Object.fromEntries(COLUMNS.map(({ field, title }) => [field, title])));
  const lines = [...head, rule, ...faults.flatMap((row) => [...rowLines(row), rule])];
  console.log(`\n${lines.join('\n')}\n`);
}
