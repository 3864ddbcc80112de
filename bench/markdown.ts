import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import type { Row } from './figures.js';
import type { Section } from './section.js';

/**
 * Formats rows as a Markdown table with a column for each key of the first row, aligned right if its value there is a
 * number.
 */
function markdownTable(rows: readonly Row[]): string {
  const [first = {}] = rows;
  const names = Object.keys(first);
  const rules = names.map((name) => (typeof first[name] === 'number' ? '--:' : '---'));
  const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
  return [names, rules, ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const beginOf = (name: string) => `<!-- figures: ${name} -->`;
const endOf = (name: string) => `<!-- end of figures: ${name} -->`;

/** Replaces what is between each section's markers in the file. Throws, and writes nothing, if a marker is missing. */
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
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}
