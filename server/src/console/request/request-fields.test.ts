import { labelOf } from './request-fields.js';

test.each([
  ['url', 'URL'],
  ['radiusMetres', 'Radius (metres)'],
  ['waitMs', 'Wait (milliseconds)'],
  ['javaScript', 'JavaScript'],
  ['lsoas', 'LSOAs'],
  ['hideSelectors', 'Hide selectors'],
  ['headerHtml', 'Header HTML'],
  ['preferCssPageSize', 'Prefer CSS page size'],
  ['censusWard1991', 'Census ward 1991'],
])('the field %s has the label "%s"', (name, label) => {
  expect(labelOf(name)).toBe(label);
});
