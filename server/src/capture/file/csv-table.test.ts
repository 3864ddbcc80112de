import { tableOf } from './csv-table.js';

const markdown = (text: string, max = 1_000) => tableOf(text, 'markdown', max);

test('converts delimited text to a Markdown table with the first row as its head', () => {
  expect(markdown('name,price\r\nTea,"1,50"\r\n')).toBe('| name | price |\n| --- | --- |\n| Tea | 1,50 |');
});

test.each([';', '\t', '|'])('recognises %j as the delimiter of cells', (delimiter) => {
  expect(markdown(`"a,b"${delimiter}c\n1,5${delimiter}2`)).toBe('| a,b | c |\n| --- | --- |\n| 1,5 | 2 |');
});

test.each([
  [
    'a title above the table',
    'Fees of 2026\n\nname;fee\nDog;1,5\n',
    '| Fees of 2026 |  |\n| --- | --- |\n| name | fee |\n| Dog | 1,5 |',
  ],
  ['a line that states it', 'sep=;\r\na,b;c\r\n', '| a,b | c |\n| --- | --- |'],
])('recognises the delimiter below %s', (_what, text, table) => {
  expect(markdown(text)).toBe(table);
});

test('quotes, line breaks, bars and tags in cells do not break the table', () => {
  expect(markdown('a,b\n"say ""hi""","two\nlines | <b>"')).toBe(
    '| a | b |\n| --- | --- |\n| say "hi" | two<br>lines \\| &lt;b> |',
  );
});

test('leaves out a byte order mark and empty lines, and gives the head a cell for each column', () => {
  expect(markdown('\uFEFFa\n\n1,2\n')).toBe('| a |  |\n| --- | --- |\n| 1 | 2 |');
});

test('converts delimited text to an HTML table with the first row as its head, and escapes the cells', () => {
  expect(tableOf('a,b\n<i>,&', 'html', 1_000)).toBe(
    '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>&lt;i&gt;</td><td>&amp;</td></tr>\n</table>',
  );
});

test('leaves out whole rows beyond the maximum length, and returns an empty string for an empty text', () => {
  expect(markdown(`a,b\n${'1,2\n'.repeat(100)}`, 60)).toBe(
    `| a | b |\n| --- | --- |${'\n| 1 | 2 |'.repeat(3)}`,
  );
  expect(markdown('')).toBe('');
});

test.each(['long cell', '"two\nlines"'])(
  'leaves out a row if the maximum length cuts its text: %j',
  (cell) => {
    const rows = 'a,b\n' + '1,2          \n'.repeat(10);

    expect(markdown(`${rows}3,${cell}`, rows.length + 5)).toBe(
      `| a | b |\n| --- | --- |${'\n| 1 | 2 |'.repeat(10)}`,
    );
  },
);
