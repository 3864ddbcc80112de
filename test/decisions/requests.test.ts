import { answerOf, rejectionOf } from '../fixtures/answers.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { z } from 'zod';

let server: ConsoleApp;

beforeAll(async () => {
  server = await startConsoleApp(UNLIMITED);
});
afterAll(() => server.close());

describe('a body of the wrong size, syntax or media type is rejected', () => {
  const asJson = { 'Content-Type': 'application/json' };

  test.each([
    ['too large', 413, asJson, JSON.stringify({ postcode: 'x'.repeat(2_000_000) })],
    ['not JSON', 400, asJson, '{"postcode":'],
    ['empty', 400, asJson, ''],
    ['a list', 400, asJson, '[]'],
    ['null', 400, asJson, 'null'],
    ['an object with the key __proto__', 400, asJson, '{"postcode":"SW1A 1AA","__proto__":{}}'],
    ['of the wrong media type', 415, { 'Content-Type': 'text/plain' }, '{"postcode":"SW1A 1AA"}'],
  ])('a body that is %s gets %i', async (_what, status, headers: Record<string, string>, body) => {
    const rejection = await rejectionOf(
      fetch(`${server.url}/api/postcode/lookup`, {
        method: 'POST',
        headers: { 'X-Api-Key': server.apiKey, ...headers },
        body,
      }),
    );
    expect(rejection.status).toBe(status);
  });
});

describe('an unknown field or a wrong value gets a 400 that names the field and says what is allowed', () => {
  const url = 'https://a.example';
  test.each([
    ['/api/screenshot', { url, fullpage: true }, '"fullpage" is not a field: did you mean "fullPage"?'],
    [
      '/api/screenshot',
      { url, width: '800' },
      '"width" must be a whole number from 16 to 7680, but is "800".',
    ],
    ['/api/screenshot', { url, width: 1.5 }, '"width" must be a whole number from 16 to 7680, but is 1.5.'],
    ['/api/screenshot', { url, fullPage: 'yes' }, '"fullPage" must be true or false, but is "yes".'],
    [
      '/api/screenshot',
      { url, format: 'gif' },
      '"format" must be one of "png", "jpeg", "webp", but is "gif".',
    ],
    [
      '/api/screenshot',
      {},
      '"url" is missing: it must be the address of a page, unless "html" is given in its place.',
    ],
    [
      '/api/screenshot',
      { url: 'ftp://a.example' },
      '"url" must be a whole http or https address such as "https://example.com/page", but is "ftp://a.example".',
    ],
    ['/api/pdf', { url, scale: 3 }, '"scale" must be a number from 0.1 to 2, but is 3.'],
    ['/api/postcode/lookup', { postcode: 5 }, '"postcode" must be a string, but is 5.'],
    ['/api/postcode/lookup', { postcode: null }, '"postcode" must be a string, but is null.'],
    ['/api/postcode/bulk', { postcodes: ['SW1A 1AA', 7] }, '"postcodes[1]" must be a string, but is 7.'],
    [
      '/api/postcode/bulk',
      { postcodes: 'SW1A 1AA' },
      '"postcodes" must be a list of 1 to 100 strings, but is "SW1A 1AA".',
    ],
    [
      '/api/postcode/nearest',
      { latitude: 91, longitude: 0, radiusMetres: 99 },
      '"latitude" must be a number from -90 to 90, but is 91; "radiusMetres" must be a number from 100 to 20000, but is 99.',
    ],
    [
      '/api/postcode/lookup',
      { postcode: 'SW1A 1AA', colour: 'red' },
      '"colour" is not a field: the fields are "postcode", "include".',
    ],
    [
      '/api/postcode/lookup',
      { postcode: 'SW1A 1AA', include: ['areas', 'code'] },
      '"include[1]" must be one of "codes", "areas", "history" (did you mean "codes"?), but is "code".',
    ],
    [
      '/api/postcode/nearest',
      { latitude: 51, longitude: 0, include: ['colours'] },
      '"include[0]" must be one of "codes", "areas", "history", but is "colours".',
    ],
    [
      '/api/postcode/bulk',
      { postcodes: ['SW1A 1AA'], include: 'codes' },
      '"include" must be a list of "codes", "areas", "history", but is "codes".',
    ],
    [
      '/api/postcode/lookup',
      { postcode: 'SW1A 1AA', include: ['codes', 'codes'] },
      '"include" must name each of "codes", "areas", "history" at most once, but is a list of 2.',
    ],
  ])('POST %s with the body %j is a 400 that says what is allowed', async (path, body, error) => {
    expect(await rejectionOf(server.post(path, body))).toMatchObject({ status: 400, body: { error } });
  });
});

test('an unknown path is 404, and a wrong method is 405 with Allow', async () => {
  expect((await rejectionOf(server.get('/api/nothing'))).status).toBe(404);
  const wrong = await rejectionOf(server.get('/api/postcode/lookup'));
  expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'POST']);
});

test('the server is healthy and ready; its metrics are for the machine itself, and not for requests through a proxy', async () => {
  expect((await answerOf(server.get('/healthz'), z.object({ status: z.literal('ok') }))).status).toBe(200);
  expect((await server.get('/readyz')).status).toBe(200);
  const metrics = await server.get('/metrics');
  expect(await metrics.text()).toContain(
    'signpost_request_duration_seconds_count{operation="lookupPostcode"',
  );
  const proxied = fetch(`${server.url}/metrics`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  expect((await rejectionOf(proxied)).status).toBe(401);
});
