import { PAGES } from '../../server/src/console/page-list.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { addressOf, NO_SAMPLES, SHOWN_PAGES } from '../fixtures/every-page.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;
let stranger: ConsoleClient;
let newcomer: ConsoleClient;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  stranger = new ConsoleClient(app.url);
  newcomer = (await signUpNewcomer(app)).visitor;
  operator = await signInFirstOperator(app);
});
afterAll(() => app.close());

const pages = PAGES.map((page) => ({ ...page, address: addressOf(page, NO_SAMPLES) }));
const shown = SHOWN_PAGES.map((page) => ({ ...page, address: addressOf(page, NO_SAMPLES) }));
const withForm = pages.filter(({ post }) => post !== undefined);
const forOperators = pages.filter(({ access }) => access === 'operator');

test('every page below /operator is for operators only, and strangers see only the pages of a fixed list', () => {
  const open = pages.filter(({ access }) => access === 'everybody').map(({ path }) => path);
  expect(open.sort()).toEqual([
    '/',
    '/apilogin',
    '/apilogin/other-account',
    '/docs',
    '/docs/:folder/:page',
    '/docs/:page',
    '/forgot-password',
    '/link/:token',
    '/playground',
    '/reference',
    '/reference/:operation',
    '/request-access',
    '/signin',
    '/signin/code',
    '/signout',
    '/signup',
  ]);
  const operators = pages.filter(({ path }) => /^\/operator(\/|$)/u.test(path));
  expect(operators.length).toBeGreaterThan(0);
  expect(forOperators).toEqual(operators);
});

test.each(shown.filter(({ access }) => access !== 'everybody'))(
  '$path redirects a stranger to the sign-in, with itself as the next page',
  async ({ address }) => {
    const answer = await stranger.get(address);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/signin?next=${encodeURIComponent(address)}`,
    ]);
  },
);

test.each(forOperators)(
  '$path responds with 404 to people who are not operators',
  async ({ address, post }) => {
    expect((await newcomer.get(address)).status).toBe(404);
    if (post === undefined) return;
    const answer = await newcomer.submit('/password', {}, address);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('only operators may see it'),
    ]);
  },
);

/**
 * Forms without a file. A form with a file is not read at all, not even its token, if the sender may not send it; other
 * tests cover that.
 */
const readAtOnce = withForm.filter(({ upload }) => upload === undefined);

test.each(readAtOnce)('$path rejects a form without its CSRF token', async ({ address }) => {
  const answer = await newcomer.post(address, {}, { Origin: 'https://evil.example' });
  expect([answer.status, await answer.text()]).toEqual([
    403,
    expect.stringContaining('This form was not accepted'),
  ]);
});

test.each(pages.filter(({ isFormTarget, access }) => isFormTarget && access !== 'operator'))(
  '$path, to which forms are sent, redirects to a page if a browser loads it',
  async ({ address }) => {
    const answer = await newcomer.get(address);
    const target = answer.headers.get('location') ?? '';
    expect(answer.status).toBe(303);
    expect(shown.flatMap(({ path, address: shownAt }) => [path, shownAt])).toContain(target);
  },
);

test.each([...shown, { path: '/nowhere', address: '/nowhere' }])(
  '$path forbids framing, referrers, type guessing, foreign scripts and caching',
  async ({ address }) => {
    const first = await operator.get(address, { Accept: 'text/html' });
    // Pages that redirect signed-in people are loaded as a stranger.
    const { headers } = first.status === 303 ? await stranger.get(address, { Accept: 'text/html' }) : first;
    const policy = headers.get('content-security-policy') ?? '';
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/u);
  },
);
