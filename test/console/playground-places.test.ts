import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import type { ConsoleClient } from '../fixtures/console-client.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;
let visitor: ConsoleClient;
let key: string;

beforeAll(async () => {
  app = await startConsoleApp();
  ({ visitor } = await signUpNewcomer(app));
  await visitor.submit('/overview', { name: 'Places' }, '/projects');
  const overview = await (await visitor.get('/overview')).text();
  const [, action = ''] = /action="(\/projects\/[^"]+\/keys)"/u.exec(overview) ?? [];
  await visitor.submit('/overview', {}, action);
  const playground = await (await visitor.get('/playground')).text();
  [, key = ''] = /<select id="place-key"[^>]*><option value="(\d+)"/u.exec(playground) ?? [];
});
afterAll(() => app.close());

async function ask(fields: Readonly<Record<string, string>>) {
  app.pass(60_000);
  const answer = await visitor.submit('/playground', { key, ...fields }, '/playground/places');
  return { status: answer.status, html: await answer.text() };
}

test('distances are shown in the order of the lines and on the map of the country, and the form keeps what was typed', async () => {
  const text = 'EH99 1SP\r\n\r\nZZ99 9ZZ\r\n51.501, -0.1416';
  const { status, html } = await ask({ what: 'distance', from: 'sw1a1aa', text });
  expect(status).toBe(200);
  expect(html).toMatch(/<td>EH99 1SP<\/td><td>53\d\.\d+ km<\/td><td>3\d\d(?:\.\d)?°<\/td>/u);
  expect(html).toMatch(/<td>ZZ99 9ZZ<\/td><td><span class="muted">not known/u);
  expect(html).toMatch(/<td>51\.501, -0\.1416<\/td><td>\d+/u);
  expect(html).toContain('Map of the United Kingdom with 3 places marked.');
  expect(html).toContain('EH99 1SP\r\n\r\nZZ99 9ZZ');
  expect(html).toMatch(/\d of 5 requests left this minute/u);
});

test('points are shown with their postcodes, the first on a map', async () => {
  const { status, html } = await ask({
    what: 'reverse',
    text: '51.501, -0.1416\n0 0',
    placeRadiusMetres: '500',
  });
  expect(status).toBe(200);
  expect(html).toContain('Map of the ground around 51.501, -0.1416');
  expect(html).toMatch(/<td>51\.501, -0\.1416<\/td><td>SW1A 1AA<\/td>/u);
  expect(html).toMatch(/<td>0 0<\/td><td><span class="muted">none in range/u);
});

test('the postcodes of a text are shown with their places, and those that exist on the map', async () => {
  const { html } = await ask({ what: 'find', text: 'At sw1a-1aa & ZZ99 9ZZ' });
  expect(html).toContain('<td>SW1A 1AA</td><td>3</td><td>11</td><td>Yes</td>');
  expect(html).toContain('Map of the United Kingdom with one place marked.');
  expect(html).toContain('<td>ZZ99 9ZZ</td><td>14</td><td>22</td><td>No</td>');
  const none = await ask({ what: 'find', text: 'none' });
  expect(none.html).toContain('The text has no postcode.');
  expect(none.html).not.toContain('Map of');
});

test('what is refused is said above the form in the words of the API', async () => {
  const unknown = await ask({ what: 'distance', from: 'ZZ99 9ZZ', text: 'SW1A 1AA' });
  expect([unknown.status, unknown.html]).toEqual([404, expect.stringContaining('no postcode ZZ99 9ZZ')]);
  const noPoint = await ask({ what: 'reverse', text: 'SW1A 1AA' });
  expect([noPoint.status, noPoint.html]).toEqual([400, expect.stringContaining('must be an object')]);
});
