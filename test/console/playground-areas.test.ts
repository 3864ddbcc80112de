import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import type { ConsoleClient } from '../fixtures/console-client.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;
let visitor: ConsoleClient;
let key: string;

beforeAll(async () => {
  app = await startConsoleApp();
  ({ visitor } = await signUpNewcomer(app));
  await visitor.submit('/overview', { name: 'Maps' }, '/projects');
  const overview = await (await visitor.get('/overview')).text();
  const [, action = ''] = /action="(\/projects\/[^"]+\/keys)"/u.exec(overview) ?? [];
  await visitor.submit('/overview', {}, action);
  const playground = await (await visitor.get('/playground')).text();
  [, key = ''] = /<select id="area-key"[^>]*><option value="(\d+)"/u.exec(playground) ?? [];
});
afterAll(() => app.close());

async function ask(fields: Readonly<Record<string, string>>) {
  app.pass(60_000);
  const answer = await visitor.submit('/playground', { key, ...fields }, '/playground/area');
  return { status: answer.status, html: await answer.text() };
}

test('an outcode is shown with its areas and on the map', async () => {
  const { status, html } = await ask({ kind: 'outcode', area: ' m1 ' });
  expect(status).toBe(200);
  expect(html).toContain('<h3>M1</h3><p>2 active postcodes, 0 terminated.</p>');
  expect(html).toContain('Map of the United Kingdom with M1 marked: Manchester.');
  expect(html).toMatch(/\d of 5 requests left this minute/u);
});

test('one without coordinates is shown without a map', async () => {
  const { html } = await ask({ kind: 'outcode', area: 'NPT' });
  expect(html).toContain('0 active postcodes, 1 terminated.');
  expect(html).toContain('so there is no map');
});

test('an area is listed from the offset on with a map of what is listed, and the form keeps what was typed', async () => {
  const { status, html } = await ask({ kind: 'country', area: 'Wales', offset: '1', limit: '2' });
  expect(status).toBe(200);
  expect(html).toMatch(/<h3>Wales<\/h3><p>Country.*: \d+ active postcodes\. Here are 2 to 3\.<\/p>/u);
  expect(html).toContain('Map of the United Kingdom with 2 places marked.');
  expect(html).toMatch(/<option value="country" selected/u);
  expect((await ask({ kind: 'country', area: 'Wales', offset: '5000' })).html).toContain(
    'None of them is here.',
  );
});

test('what is refused is said above the form in the words of the API', async () => {
  const unknown = await ask({ kind: 'ward', area: 'Atlantis' });
  expect([unknown.status, unknown.html]).toEqual([404, expect.stringContaining('There is no ward named')]);
  const byCode = await ask({ kind: 'code', area: 'X99' });
  expect([byCode.status, byCode.html]).toEqual([404, expect.stringContaining('no area with the code')]);
  const wrong = await ask({ kind: 'country', area: 'Wales', limit: 'many' });
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('must be a whole number from 1')]);
});
