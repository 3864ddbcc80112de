import { PAGES } from '../../server/src/console/page-list.js';
import { type ConsoleApp, startConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';

let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
}, 60_000);
afterAll(() => app.close());

test('the page for an unknown address has the menu and the sign-out button of the signed-in person', async () => {
  const seen = await operator.get('/operator/nowhere', { Accept: 'text/html' });
  const html = await seen.text();
  expect([seen.status, seen.headers.get('x-frame-options')]).toEqual([404, 'DENY']);
  expect(html).toContain('Nothing here');
  expect(html).toContain('action="/signout"');
  expect(html).toContain('href="/operator"');
  const stranger = new ConsoleClient(app.url);
  await stranger.get('/signin');
  const other = await (await stranger.get('/nowhere', { Accept: 'text/html' })).text();
  expect(other).toContain('Nothing here');
  expect(other).not.toContain('action="/signout"');
});

const withParameter = [...new Set([...PAGES.map(({ path }) => path), '/files/:token'])].filter((path) =>
  path.includes(':'),
);
const ODD = [
  ['longer than 100 characters', 'a'.repeat(101)],
  ['of 4,000 characters', 'a'.repeat(4_000)],
  ['with a broken escape', 'a%zz'],
  ['with a lone surrogate', '%ED%A0%80'],
  ['with a NUL', 'a%00b'],
  ['that is the name of a document, but cannot be in a header', '%E2%82%AC.md'],
] as const;

test.each(withParameter)(
  'the path %s never responds with a 5xx to an odd parameter from an operator or a stranger',
  async (path) => {
    for (const [what, value] of ODD) {
      const address = path.replaceAll(/:\w+/gu, value);
      for (const client of [operator, new ConsoleClient(app.url)]) {
        const { status } = await client.get(address);
        expect([path, what, status < 500]).toEqual([path, what, true]);
      }
    }
  },
);

test.each([
  '/',
  '/docs',
  '/reference',
  '/reference/lookupPostcode',
  '/apilogin',
  '/operator/accounts',
  '/operator/audit',
  '/usage',
])('the path %s never responds with a 5xx to an odd query from an operator', async (path) => {
  for (const query of [
    `q=${'a'.repeat(10_000)}`,
    'q=%zz',
    'q=%ED%A0%80',
    'q=%00',
    'page=99999999999999999999',
  ])
    expect((await operator.get(`${path}?${query}`)).status).toBeLessThan(500);
});
