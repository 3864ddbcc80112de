/** Escapes a value for a cell of a Markdown table. Line breaks become spaces. */
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

export const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
