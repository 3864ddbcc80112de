import { tableOf } from './csv-table.js';

const markdown = (text: string, max = 1_000) => tableOf(text, 'markdown', max);

test('delimited text becomes a Markdown table with its first row as the head', () => {
  expect(markdown('name,price\r\nTea,"1,50"\r\n')).toBe('| name | price |\n| --- | --- |\n| Tea | 1,50 |');
});

test.each([';', '\t', '|'])('cells may be separated by %j', (delimiter) => {
  expect(markdown(`"a,b"${delimiter}c\n1,5${delimiter}2`)).toBe('| a,b | c |\n| --- | --- |\n| 1,5 | 2 |');
});

test('quotes, line breaks, bars and tags in cells keep the table whole', () => {
  expect(markdown('a,b\n"say ""hi""","two\nlines | <b>"')).toBe(
    '| a | b |\n| --- | --- |\n| say "hi" | two<br>lines \\| &lt;b> |',
  );
});

test('a byte order mark and empty lines are left out, and a head has a cell for each column', () => {
  expect(markdown('\uFEFFa\n\n1,2\n')).toBe('| a |  |\n| --- | --- |\n| 1 | 2 |');
});

test('HTML has the same table', () => {
  expect(tableOf('a,b\n<i>,&', 'html', 1_000)).toBe(
    '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>&lt;i&gt;</td><td>&amp;</td></tr>\n</table>',
  );
});

test('rows beyond the maximum length are left out whole', () => {
  expect(markdown(`a,b\n${'1,2\n'.repeat(100)}`, 60)).toBe(
    `| a | b |\n| --- | --- |${'\n| 1 | 2 |'.repeat(3)}`,
  );
  expect(markdown('')).toBe('');
});
