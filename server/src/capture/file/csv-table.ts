const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Splits delimited text into rows of cells according to RFC 4180. Leaves out empty lines. */
function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    cell = '';
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at += 1;
      endRow();
    } else cell += character;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** How many of the first lines to search for a delimiter: a title above the table may have none. */
const MAX_TITLE_LINES = 20;

/**
 * The delimiter that is most frequent, outside of quotes, in the first line that has any; a comma if none is found.
 */
function delimiterOf(text: string): string {
  const plain = text.slice(0, 100_000).replace(/"(?:[^"]|"")*"/gu, '');
  for (const line of plain.split(/[\r\n]+/u, MAX_TITLE_LINES)) {
    const counts = DELIMITERS.map((delimiter) => [line.split(delimiter).length, delimiter] as const);
    const [most = 1, delimiter] = counts.toSorted(([one], [other]) => other - one)[0] ?? [];
    if (most > 1 && delimiter !== undefined) return delimiter;
  }
  return ',';
}

/** Matches a first line such as "sep=;", which tells spreadsheets the delimiter of the table. */
const STATED_DELIMITER = /^sep=([,;\t|])\r?\n/u;

export const escapeHtml = (text: string): string =>
  text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');

const markdownCell = (cell: string) =>
  cell
    .trim()
    .replace(/\\/gu, '\\\\')
    .replace(/\|/gu, '\\|')
    .replace(/</gu, '&lt;')
    .replace(/\r\n|\r|\n/gu, '<br>');

/**
 * Converts delimited text to a table in Markdown or HTML. The text that it reads and the rows that it writes each have
 * at most `maxCharacters`. Leaves out the first row that does not fit, and all rows after it.
 */
export function tableOf(text: string, format: 'markdown' | 'html', maxCharacters: number): string {
  const whole = text.replace(/^\uFEFF/u, '');
  const source = whole.slice(0, maxCharacters).replace(STATED_DELIMITER, '');
  const read = rowsOf(source, STATED_DELIMITER.exec(whole)?.[1] ?? delimiterOf(source));
  // The last row may have been cut.
  const rows = whole.length > maxCharacters ? read.slice(0, -1) : read;
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) return '';
  const isMarkdown = format === 'markdown';
  const lineOf = (row: readonly string[], isHead: boolean) => {
    // Only the head has a cell for each column: a single long row must not make all other rows as long.
    const cells = isHead ? Array.from({ length: columns }, (_, at) => row[at] ?? '') : row;
    if (isMarkdown) return `| ${cells.map(markdownCell).join(' | ')} |`;
    const tag = isHead ? 'th' : 'td';
    return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  };
  const lines: string[] = isMarkdown ? [] : ['<table>'];
  let length = 0;
  for (const [at, row] of rows.entries()) {
    const line = lineOf(row, at === 0) + (at === 0 && isMarkdown ? `\n|${' --- |'.repeat(columns)}` : '');
    length += line.length + 1;
    if (length > maxCharacters) break;
    lines.push(line);
  }
  if (!isMarkdown) lines.push('</table>');
  return lines.join('\n');
}
