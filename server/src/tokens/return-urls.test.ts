import { createThrottle } from '../throttle/throttle.js';
import { addReturnUrl, listReturnUrls, matchReturnUrl, removeReturnUrl, withToken } from './return-urls.js';
import { openTestTokens, type TestTokens } from '../../../test/fixtures/tokens/test-tokens.js';

const APP = 'https://app.example/signed-in';
let bench: TestTokens;

const add = (url: string, name = 'App') =>
  addReturnUrl({ ...bench.domain, clock: () => 1_000 }, { url, name });
const matched = async (text: string) => (await matchReturnUrl(bench, text))?.url.href;

beforeAll(async () => {
  bench = await openTestTokens(createThrottle);
  for (const url of [APP, 'http://127.0.0.1:8080/', 'http://[::1]:8080/back', 'https://app.example/a%2Fb/'])
    await add(url);
});
afterAll(() => bench.close());

test.each([
  [APP],
  [`${APP}?state=a%20b&next=/x@y`],
  [`${APP}?tokens=1&mytoken=2&x=token`],
  ['http://127.0.0.1:8080/'],
  ['http://127.0.0.1:8080/?a=1'],
  ['http://[::1]:8080/back'],
  ['https://app.example/a%2Fb/'],
])('the address %s matches a registered one, and keeps its query', async (text) => {
  expect(await matched(text)).toBe(text);
});

test.each([
  // Another scheme, host, port or path.
  'http://app.example/signed-in',
  'https://app.example:8443/signed-in',
  'https://app.example/',
  'https://app.example/signed-in/',
  'https://app.example/signed-in/more',
  'https://app.example/Signed-in',
  'https://evil.app.example/signed-in',
  'https://app.example.evil.example/signed-in',
  'https://app.example./signed-in',
  'http://127.0.0.1:8081/',
  'https://app.example/a/b/',
  // Addresses that parsers correct or complete, perhaps in different ways.
  'HTTPS://app.example/signed-in',
  'https://APP.example/signed-in',
  'https://app.example:443/signed-in',
  'https:app.example/signed-in',
  'https:/app.example/signed-in',
  'https:///app.example/signed-in',
  'https:\\\\app.example\\signed-in',
  'https://app.example\\signed-in',
  'https://evil.example\\@app.example/signed-in',
  '//app.example/signed-in',
  '/signed-in',
  'https://%61pp.example/signed-in',
  'https://app%2eexample/signed-in',
  'https://app。example/signed-in',
  'https://ａpp.example/signed-in',
  'http://127.1:8080/',
  'http://0x7f.0.0.1:8080/',
  'http://2130706433:8080/',
  'http://127.0.0.1:08080/',
  'http://[0:0:0:0:0:0:0:1]:8080/back',
  'https://app.example/./signed-in',
  'https://app.example/x/../signed-in',
  'https://app.example/x/%2e%2e/signed-in',
  'https://app.example/%73igned-in',
  // User information, fragments, white space and control characters.
  'https://app.example@evil.example/signed-in',
  'https://user@app.example/signed-in',
  'https://user:password@app.example/signed-in',
  'https://@app.example/signed-in',
  'https://:@app.example/signed-in',
  `${APP}#`,
  `${APP}#fragment`,
  `${APP}?a=1#token=2`,
  ` ${APP}`,
  `${APP} `,
  `${APP}\n`,
  'https://app.example/signed\t-in',
  'https://app.exa\r\nmple/signed-in',
  `\u0000${APP}`,
  `${APP}?a=\r\nLocation:evil`,
  // Other schemes, no host, and an empty text.
  'javascript:alert(1)//app.example/signed-in',
  'data:text/html,app.example',
  'blob:https://app.example/signed-in',
  'ftp://app.example/signed-in',
  'https://',
  '',
  // A query that already has a token parameter, however it is parsed, and one that is too long.
  `${APP}?token=x`,
  `${APP}?token`,
  `${APP}?a=1&token=x`,
  `${APP}?a=1;token=x`,
  `${APP}?%74oken=x`,
  `${APP}?Token=x`,
  `${APP}?token[]=x`,
  `${APP}?+token=x`,
  `${APP}?${'a'.repeat(3_000)}`,
])('the address %j matches no registered one', async (text) => {
  expect(await matched(text)).toBeUndefined();
});

test("a match includes the site's name, and removed addresses no longer match", async () => {
  await add('https://other.example/back', ' The  other ');
  expect((await matchReturnUrl(bench, 'https://other.example/back'))?.name).toBe('The  other');
  expect(await removeReturnUrl(bench.domain, 'https://other.example/back')).toBe(true);
  expect(await removeReturnUrl(bench.domain, 'https://other.example/back')).toBe(false);
  expect(await matched('https://other.example/back')).toBeUndefined();
});

test.each([
  'app.example',
  'ftp://app.example/',
  'https://App.example/',
  'https://app.example',
  'https://app.example:443/x',
  'https://app.example/x?a=1',
  'https://app.example/x?',
  'https://app.example/x#a',
  'https://user@app.example/x',
  'https://app.example/x/../y',
])('rejects the registration of the address %j, and says what can be registered', async (url) => {
  await expect(add(url)).rejects.toMatchObject({
    kind: 'invalidRequest',
    message: expect.stringMatching(/^".*" cannot be a return URL: it must be a whole http or https address/u),
  });
});

test('registers an address only once, and only with a valid name', async () => {
  await expect(add(APP)).rejects.toThrow(/is there already/u);
  await expect(add('https://app.example/new', 'a\nb')).rejects.toThrow(/must be one line/u);
  expect((await listReturnUrls(bench)).filter(({ url }) => url === APP)).toEqual([
    { url: APP, name: 'App', createdAtMs: 1_000 },
  ]);
});

test.each([
  ['https://a.example/b', 'https://a.example/b?token=t.o-k_'],
  ['https://a.example/b?', 'https://a.example/b?token=t.o-k_'],
  ['https://a.example/b?c=d%20e+f', 'https://a.example/b?c=d%20e+f&token=t.o-k_'],
])('appends the token to the query of the address %s', (url, expected) => {
  expect(withToken(new URL(url), 't.o-k_').href).toBe(expected);
});

test('at 200 return URLs, rejects another and says what to do; removing one makes room', async () => {
  const rest = await openTestTokens(createThrottle);
  try {
    const addTo = (url: string) => addReturnUrl(rest.domain, { url, name: 'App' });
    const rows = Array.from({ length: 195 }, (_, nth) => ({
      id: `ret_${nth}`,
      url: `https://app.example/${nth}`,
      name: 'App',
      created_at: 0,
    }));
    await rest.db('return_urls').insert(rows.slice(0, 100));
    await rest.db('return_urls').insert(rows.slice(100));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, nth) => addTo(`https://other.example/${nth}`)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(addTo('https://app.example/0')).rejects.toThrow('is there already');
    await expect(addTo(APP)).rejects.toThrow(
      'There are 200 return URLs, the most that a server keeps. Remove one that is no longer used.',
    );
    await removeReturnUrl(rest.domain, 'https://app.example/0');
    await addTo(APP);
    expect(await listReturnUrls(rest)).toHaveLength(200);
  } finally {
    await rest.close();
  }
});
