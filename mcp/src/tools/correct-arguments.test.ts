import { hasBlank, correctArguments } from './correct-arguments.js';
import { toolsWithFolder, toolsWithLinks } from './tools.js';

const schemaOf = (name: string) => {
  const tool = toolsWithFolder.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool.inputSchema;
};

test.each([
  ['capture_pdf', { url: 'u', format: 'a4', scale: '0.5', landscape: 'True', marginTop: null }],
  ['capture_pdf', { url: 'u', format: 'A4', scale: 0.5, landscape: true }],
])('%s reads the arguments %j as A4 in landscape at half size', (name, args) => {
  const meant = { url: 'u', format: 'A4', scale: 0.5, landscape: true };
  expect(correctArguments(args, schemaOf(name))).toEqual(meant);
});

test('capture_screenshot accepts numbers as text, and other spellings of a format', () => {
  const args = { url: 'u', width: '1280', height: ' 800 ', format: 'JPG', selector: null };
  const meant = { url: 'u', width: 1280, height: 800, format: 'jpeg' };
  expect(correctArguments(args, schemaOf('capture_screenshot'))).toEqual(meant);
});

test.each([
  ['M1 1AE', ['M1 1AE']],
  ['["M1 1AE", "51.5,-0.1"]', ['M1 1AE', '51.5,-0.1']],
  ['12', ['12']],
  ['M1 1AE, SW1A 1AA', ['M1 1AE', 'SW1A 1AA']],
  ['M1 1AE\nSW1A 1AA;\n', ['M1 1AE', 'SW1A 1AA']],
  ['51.5, -0.14', ['51.5, -0.14']],
  ['51.5,-0.14; 52.1,-1', ['51.5,-0.14', '52.1,-1']],
  ['[M1', ['[M1']],
  ['', ''],
])('reads a list written as %j as %j', (to, meant) => {
  expect(correctArguments({ to }, schemaOf('measure_distance'))).toEqual({ to: meant });
});

test.each([
  ['find_nearest_postcodes', { Lat: 51.5, lng: '-0.1' }, { latitude: 51.5, longitude: -0.1 }],
  ['find_nearest_postcodes', { postcode: 'N1', radius_metres: '500' }, { postcode: 'N1', radiusMetres: 500 }],
  ['capture_screenshot', { url: 'u', 'full-page': 'true' }, { url: 'u', fullPage: true }],
  ['read_page', { url: 'u', find_texts: [2024, 'a, b'] }, { url: 'u', findTexts: ['2024', 'a, b'] }],
  ['read_page', { url: 'u', headings: 1, findText: 'tea' }, { url: 'u', headings: true, findTexts: ['tea'] }],
  ['capture_pdf', { url: 'u', landscape: 'No', tagged: 7 }, { url: 'u', landscape: false, tagged: 7 }],
  ['list_area_postcodes', { kind: 'Local authority', name: 'A' }, { kind: 'localAuthority', name: 'A' }],
  [
    'lookup_postcodes',
    { postcode: 'N1', fields: 'Police Force' },
    { postcodes: ['N1'], fields: ['policeForce'] },
  ],
  ['lookup_postcode', { postCode: 'N1', include: ['Codes'] }, { postcode: 'N1', include: ['codes'] }],
  [
    'measure_distance',
    { from: { lat: 51.5, lon: '-0.1' }, to: [[52, -1]] },
    { from: '51.5,-0.1', to: ['52,-1'] },
  ],
  ['measure_distance', { from: 'N1', to: { latitude: 1, longitude: 2 } }, { from: 'N1', to: ['1,2'] }],
])('%s understands the arguments %j, which have other names or types', (name, args, meant) => {
  expect(correctArguments(args, schemaOf(name))).toEqual(meant);
});

test('an argument under another name does not replace the same argument under its own name', () => {
  const args = { latitude: 51.5, lat: 50, longitude: 0 };
  expect(correctArguments(args, schemaOf('find_nearest_postcodes'))).toEqual(args);
});

test.each([
  { postcode: null },
  { postcode: '12' },
  { postcode: 'SW1A 1AA', other: null },
  'SW1A 1AA',
  ['SW1A 1AA'],
])('leaves the arguments %j of lookup_postcode unchanged', (args) => {
  expect(correctArguments(args, schemaOf('lookup_postcode'))).toEqual(args);
});

test.each([
  ['list_area_postcodes', { code: '', kind: 'ward', name: 'Abbey' }, { kind: 'ward', name: 'Abbey' }],
  ['capture_screenshot', { url: 'u', html: ' ', selector: '', width: '' }, { url: 'u' }],
  ['lookup_postcode', { postcode: '', other: '' }, { postcode: '', other: '' }],
])('%s ignores those of its blank arguments that are optional: %j', (name, args, meant) => {
  expect(hasBlank(args)).toBe(true);
  expect(correctArguments(args, schemaOf(name))).toEqual(meant);
});

test.each([['1280px'], ['0x10'], ['-'], ['1e3']])('does not read "%s" as a number', (width) => {
  expect(correctArguments({ url: 'u', width }, schemaOf('capture_screenshot'))).toEqual({ url: 'u', width });
});

test('reads missing arguments as an empty object', () => {
  expect([
    correctArguments(undefined, schemaOf('get_usage')),
    correctArguments(null, schemaOf('get_usage')),
  ]).toEqual([{}, {}]);
});

test('no tool has "examples" in the schema of its arguments', () => {
  for (const { inputSchema } of [...toolsWithFolder, ...toolsWithLinks])
    expect(JSON.stringify(inputSchema)).not.toContain('"examples"');
});
