import { capturePdfRequest } from './pdf-request.js';
import { inches } from './css-length.js';

const { shape } = capturePdfRequest;
const url = 'https://example.com';

test.each([
  ['1cm', '1cm', 1 / 2.54],
  ['10mm', '10mm', 10 / 25.4],
  ['.5in', '0.5in', 0.5],
  ['1IN', '1in', 1],
  ['20Px', '20px', 20 / 96],
  ['12pt', '12pt', 1 / 6],
  ['1pc', '1pc', 1 / 6],
  ['1Q', '1q', 1 / 101.6],
  ['1q', '1q', 1 / 101.6],
  ['+1cm', '1cm', 1 / 2.54],
  ['  2.50cm\n', '2.5cm', 2.5 / 2.54],
  ['0', '0px', 0],
  [' +0 ', '0px', 0],
  ['-0.0', '0px', 0],
  ['0cm', '0px', 0],
  ['-0mm', '0px', 0],
])('normalizes the margin %j to %j', (text, normal, expected) => {
  for (const side of ['marginTop', 'marginBottom', 'marginLeft', 'marginRight'] as const)
    expect(capturePdfRequest.parse({ url, [side]: text })[side]).toBe(normal);
  expect(inches(normal)).toBeCloseTo(expected, 10);
});

test.each([
  '1',
  '1em',
  '1rem',
  '1%',
  '-1cm',
  'cm',
  '1 cm',
  '1cm 2cm',
  '1.cm',
  '1cmx',
  '',
  ' ',
  '0em',
  '1e400cm',
  'auto',
])('rejects the margin %j with one message that lists the units', (text) => {
  const { issues = [] } = shape.marginTop.safeParse(text).error ?? {};
  expect(issues.map(({ message }) => message)).toEqual([
    'must be a number with cm, mm, in, px, pt, pc or Q, such as "1cm" or "0.5in", or 0',
  ]);
  expect(shape.paperWidth.safeParse(text).error?.issues).toHaveLength(1);
});

test('rejects a paper height of 0, or of more than 10,000 of its unit', () => {
  const problemsOf = (text: string) =>
    shape.paperHeight.safeParse(text).error?.issues.map(({ message }) => message);
  expect(problemsOf('0')).toEqual(['must be more than 0']);
  expect(problemsOf(' 0cm ')).toEqual(['must be more than 0']);
  expect(problemsOf('10001pt')).toEqual(['must be at most 10000 of its unit']);
  expect(shape.paperHeight.parse(' 841.9PT ')).toBe('841.9pt');
});
