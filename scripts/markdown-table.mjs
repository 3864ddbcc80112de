/** A cell of a Markdown table. */
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A Markdown table. */
export const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
