import { cutToWidth, displayWidth } from './display-width.js';
import { fittingTable, table } from './output.js';

test.each([
  ['Ada', 3],
  ['日本語', 6],
  ['한국어', 6],
  ['ｆｕｌｌ', 8],
  ['🗺️', 2],
  ['👩‍💻', 2],
  ['🫠', 2],
  ['🇬🇧', 2],
  ['é', 1],
  ['', 0],
])('the text %j is %d columns wide in a terminal', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('aligns columns by the width that a terminal shows', () => {
  const lines = table(
    ['NAME', 'X'],
    [
      ['日本', '1'],
      ['🗺️ map', '2'],
      ['Ada', '3'],
    ],
  ).split('\n');
  expect(lines).toEqual(['NAME    X', '日本    1', '🗺️ map  2', 'Ada     3', '']);
});

test('cuts a text to a width between characters and adds an ellipsis', () => {
  expect(cutToWidth('abcdef', 6)).toBe('abcdef');
  expect(cutToWidth('abcdef', 5)).toBe('abcd…');
  expect(cutToWidth('日本語', 5)).toBe('日本…');
  expect(cutToWidth('👩‍💻👩‍💻👩‍💻', 4)).toBe('👩‍💻…');
});

describe('fittingTable', () => {
  const headings = ['EMAIL', 'NAME', 'CREATED', 'DISABLED'];
  const rows = [['ada@example.org', 'A long name of somebody who has many', '2026-01-02 03:04:05Z', '-']];
  const terminal = (columns: number) => ({ isTTY: true, columns });
  const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth));

  test('a table is not cut if it fits, is written to a file, or --wide is given', () => {
    const whole = table(headings, rows);
    expect(fittingTable(terminal(200), headings, rows, {})).toBe(whole);
    expect(fittingTable({}, headings, rows, {})).toBe(whole);
    expect(fittingTable(terminal(40), headings, rows, { wide: true })).toBe(whole);
  });

  test.each([80, 60, 50, 42, 40, 30])(
    'a table is cut to %d columns, and says how to see everything',
    (columns) => {
      const text = fittingTable(terminal(columns), headings, rows, {});
      const [head = '', first = '', last] = text.trimEnd().split('\n');
      expect(widest(`${head}\n${first}`)).toBeLessThanOrEqual(columns);
      expect(first).toContain(columns < 40 ? 'ada@' : 'ada@example.org');
      expect(last).toBe('Cut to the width of the terminal: --wide shows all.');
    },
  );
});
