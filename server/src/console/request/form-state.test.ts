import { operations, type Operation } from '@signpost/contract';
import { parse } from 'node:querystring';
import { bodyOf, readState } from './form-state.js';
import { typedText } from './json-schema.js';
import { fieldGroups, requestFields } from './request-fields.js';

const all: readonly (readonly [string, Operation])[] = Object.entries(operations).filter(
  ([, operation]) => operation.interface === 'A',
);
const bodyFrom = (operation: Operation, query: string) => {
  const fields = requestFields(operation);
  return bodyOf(fields, readState(parse(query), fields));
};
const {
  captureScreenshot,
  capturePdf,
  measureDistance,
  reverseGeocode,
  lookupPostcode,
  autocompletePostcode,
  createCaptureLink,
} = operations;

test.each(all)(
  'the form of %s has every field of the request once, with its label and hint',
  (_, operation) => {
    const shown = fieldGroups(operation).flatMap(({ fields }) => fields);
    const names = Object.keys(operation.request?.shape ?? {});
    expect(shown.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { label, hint } of shown)
      expect([label, hint]).toEqual([expect.stringMatching(/^[A-Z]/u), expect.any(String)]);
  },
);

test('the form of a screenshot starts with URL, full page and format, and has a group "Visitor and device"', () => {
  const [usual, ...groups] = fieldGroups(captureScreenshot);
  expect(usual?.fields.map(({ name }) => name)).toEqual(['url', 'fullPage', 'format']);
  expect(groups.map(({ title }) => title)).toContain('Visitor and device');
});

test.each(all)('an untouched form of %s sends an empty body, without the defaults', (_, operation) => {
  const untouched = requestFields(operation).flatMap(({ name, kind, schema }) =>
    kind === 'tick'
      ? [[name, schema.default === true ? 'yes' : 'no']]
      : [[name, typedText(schema.default ?? '')]],
  );
  expect(bodyFrom(operation, String(new URLSearchParams(untouched)))).toEqual({});
});

test('entered texts are converted to the values that a program would send', () => {
  const sent = [
    'url=+https%3A%2F%2Fexample.com+&fullPage=no&fullPage=yes&width=800&format=png&javaScript=no',
    'hideSelectors=.advert%0D%0A%0D%0A%23chat&clip.x=0&clip.y=5&clip.width=&clip.height=10',
    'cookies=session%3Da1b2%3D%3B+path%3D%2Faccount&headers=X-Token%3A+a%3Ab&basicAuth.username=ada',
  ].join('&');
  expect(bodyFrom(captureScreenshot, sent)).toEqual({
    url: 'https://example.com',
    fullPage: true,
    width: 800,
    javaScript: false,
    hideSelectors: ['.advert', '#chat'],
    clip: { x: 0, y: 5, height: 10 },
    cookies: [{ name: 'session', value: 'a1b2=', path: '/account' }],
    headers: { 'X-Token': 'a:b' },
    basicAuth: { username: 'ada' },
  });
  expect(bodyFrom(capturePdf, 'url=x&printBackground=no&scale=many')).toEqual({
    url: 'http://x',
    printBackground: false,
    scale: 'many',
  });
});

test('a form sends a postcode as a text, two coordinates as a point, and several choices as a list', () => {
  expect(bodyFrom(measureDistance, 'from=51.5,+-0.14&to=SW1A+1AA%0A55.9+-3.1')).toEqual({
    from: { latitude: 51.5, longitude: -0.14 },
    to: ['SW1A 1AA', { latitude: 55.9, longitude: -3.1 }],
  });
  expect(bodyFrom(reverseGeocode, 'points=51.5,-0.14%0Anowhere%0A51.5,')).toEqual({
    points: [{ latitude: 51.5, longitude: -0.14 }, 'nowhere', '51.5,'],
  });
  expect(bodyFrom(lookupPostcode, 'postcode=SW1A+1AA&include=&include=codes&include=areas')).toEqual({
    postcode: 'SW1A 1AA',
    include: ['codes', 'areas'],
  });
});

test('a line of JSON is sent as an object, and a step that is not JSON as a text', () => {
  const steps = '{"fill": "#name", "value": "a=b; c=d"}\r\n {"waitMs": 50}\n\n{"click":\nclick=it; value=x';
  const cookies = 'session=a1b2; path=/account\n{"name": "theme", "value": "dark", "secure": true}';
  expect(bodyFrom(captureScreenshot, String(new URLSearchParams({ steps, cookies })))).toEqual({
    steps: [{ fill: '#name', value: 'a=b; c=d' }, { waitMs: 50 }, '{"click":', 'click=it; value=x'],
    cookies: [
      { name: 'session', value: 'a1b2', path: '/account' },
      { name: 'theme', value: 'dark', secure: true },
    ],
  });
  const to = 'SW1A 1AA\n{"latitude": 55.9, "longitude": -3.1}';
  expect(bodyFrom(measureDistance, String(new URLSearchParams({ to })))).toEqual({
    to: ['SW1A 1AA', { latitude: 55.9, longitude: -3.1 }],
  });
});

test.each([
  [
    'url: example.com\nfullPage: true\nwidth: 800\nformat: png\nclip: {"x": 0}\npages: "1"',
    {
      url: 'https://example.com',
      fullPage: true,
      width: 800,
      format: 'png',
      clip: { x: 0 },
      pages: '1',
    },
  ],
  ['{\n  "url": "https://example.com",\n  "width": 800\n}', { url: 'https://example.com', width: 800 }],
  ['{"url"', '{"url"'],
])('the request %j of a link is sent as an object, or as text if it is bad JSON', (request, sent) => {
  expect(bodyFrom(createCaptureLink, String(new URLSearchParams({ request })))).toEqual({ request: sent });
});

test('the values of headers are sent as texts', () => {
  const headers = 'X-Count: 5\nX-Flag: true\nurl: a.b';
  expect(bodyFrom(captureScreenshot, String(new URLSearchParams({ headers })))).toEqual({
    headers: { 'X-Count': '5', 'X-Flag': 'true', url: 'a.b' },
  });
});

test('the space at the end of an outcode is kept', () => {
  expect(bodyFrom(autocompletePostcode, 'partial=+M11+')).toEqual({ partial: 'M11 ' });
});

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/a?b=c:d ', 'https://example.com/a?b=c:d'],
  ['example.com:8443/', 'https://example.com:8443/'],
  ['//example.com/a', 'https://example.com/a'],
  ['localhosts.example', 'https://localhosts.example'],
  ['1.2.3.4.example', 'https://1.2.3.4.example'],
  ['Shop.Localhost:3000', 'http://Shop.Localhost:3000'],
  ['wiki?page=1', 'http://wiki?page=1'],
  ['//', '//'],
  ['localhost:3000', 'http://localhost:3000'],
  ['192.168.0.7/x', 'http://192.168.0.7/x'],
  ['intranet/start', 'http://intranet/start'],
  ['http://example.com', 'http://example.com'],
  ['ftp://example.com', 'ftp://example.com'],
])('sends the entered address %j as %s', (typed, sent) => {
  const query = String(new URLSearchParams({ url: typed }));
  expect(bodyFrom(captureScreenshot, query)).toEqual({ url: sent });
});
