const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Splits delimited text into rows of cells according to RFC 4180. Stops after the maximum number of characters. */
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

/** The delimiter: the one that the first line has most often outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = /^[^\r\n]*/u.exec(text) ?? [];
  const plain = line.replace(/"(?:[^"]|"")*"/gu, '');
  const counts = DELIMITERS.map((delimiter) => [plain.split(delimiter).length, delimiter] as const);
  return counts.toSorted(([one], [other]) => other - one)[0]?.[1] ?? ',';
}

export const escapeHtml = (text: string): string =>
  text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');

const markdownCell = (cell: string) =>
  cell
    .trim()
    .replace(/\\/gu, '\\\\')
    .replace(/\|/gu, '\\|')
    .replace(/</gu, '&lt;')
    .replace(/\r\n|\r|\n/gu, '<br>');

/** Converts delimited text to a table. Leaves out whole rows beyond the maximum length. */
export function tableOf(text: string, format: 'markdown' | 'html', maxCharacters: number): string {
  const source = text.replace(/^\uFEFF/u, '').slice(0, maxCharacters);
  const rows = rowsOf(source, delimiterOf(source));
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
