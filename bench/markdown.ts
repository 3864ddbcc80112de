import { readFile, writeFile } from 'node:fs/promises';
import type { Row } from './figures.js';
import type { Section } from './section.js';

/** Rows of equal keys as a table in Markdown, laid out as its formatter does; figures are flush right. */
function markdownTable(rows: readonly Row[]): string {
  const [first = {}] = rows;
  const names = Object.keys(first);
  const columns = names.map((name) => {
    const cells = rows.map((row) => String(row[name] ?? ''));
    const isFigure = typeof first[name] === 'number';
    const width = Math.max(3, name.length, ...cells.map((cell) => cell.length));
    const pad = (cell: string) => (isFigure ? cell.padStart(width) : cell.padEnd(width));
    const rule = isFigure ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width);
    return [pad(name), rule, ...cells.map(pad)];
  });
  const lines = Array.from({ length: rows.length + 2 }, (_, line) => columns.map((cells) => cells[line]));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const beginOf = (name: string) => `<!-- figures: ${name} -->`;
const endOf = (name: string) => `<!-- end of figures: ${name} -->`;

/** Puts each section between its markers in the file; throws where a marker is missing. */
export async function writeMarkdown(
  file: string,
  sections: readonly Section[],
  provenance: string,
): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const { name, title, rows } of sections) {
    const from = text.indexOf(beginOf(name));
    const to = text.indexOf(endOf(name), from);
    if (from === -1 || to === -1) {
      throw new Error(
        `${file} has no place for "${name}": add the lines ${beginOf(name)} and ${endOf(name)}.`,
      );
    }
    const figures = `${title}. ${provenance}\n\n${markdownTable(rows)}`;
    text = `${text.slice(0, from)}${beginOf(name)}\n\n${figures}\n\n${text.slice(to)}`;
  }
  await writeFile(file, text);
}
