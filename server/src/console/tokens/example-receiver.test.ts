import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const RECEIVER = join(import.meta.dirname, '../../../../docs/apilogin-receiver/receiver.mjs');
const TOKEN = 'canary-of-a-token';
const IDENTITY = { id: 'acc_1', email: 'ada@example.org', name: '<b>Ada</b>' };
const LIFETIME_MS = 180 * 60_000;

/** The Authorization headers of the receiver's status requests. */
const presented: (string | undefined)[] = [];
let signpost: Server;
let receiver: ChildProcessByStdio<null, Readable, Readable>;
let receiverUrl: string;
let output = '';

beforeAll(async () => {
  signpost = createServer((request, response) => {
    const { authorization } = request.headers;
    presented.push(authorization);
    const isKnown = request.url === '/api/token/status' && authorization === `Bearer ${TOKEN}`;
    const validTo = new Date(Date.now() + LIFETIME_MS).toISOString();
    const body = isKnown ? { result: 'success', identity: IDENTITY, valid_to: validTo } : { error: 'no' };
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(signpost.listen(0, '127.0.0.1'), 'listening');
  const address = signpost.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  receiver = spawn(
    process.execPath,
    [RECEIVER, '--port', '0', '--signpost', `http://127.0.0.1:${port ?? ''}/`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const collect = (text: Buffer) => (output += text.toString());
  receiver.stdout.on('data', collect);
  receiver.stderr.on('data', collect);
  while (!output.includes('/callback')) await once(receiver.stdout, 'data');
  receiverUrl = /http:\S+(?=\/callback)/u.exec(output)?.[0] ?? '';
});
afterAll(async () => {
  receiver.kill();
  await once(receiver, 'close');
  signpost.close();
});
beforeEach(() => presented.splice(0));

const get = (path: string, cookies = '') =>
  fetch(receiverUrl + path, { redirect: 'manual', headers: { Cookie: cookies } });

/** The cookies that a response sets, in the form in which a browser returns them. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

const locationAndCookies = ({ headers }: Response) => [headers.get('Location'), headers.getSetCookie()];

/** Begins a sign-in. Returns the address of /apilogin to which it redirects, the return URL in it, and the cookies. */
async function begin() {
  const response = await get('/login');
  const apiLogin = new URL(response.headers.get('Location') ?? '');
  const returnUrl = new URL(apiLogin.searchParams.get('returnUrl') ?? '');
  return { apiLogin, returnUrl, cookies: cookiesOf(response) };
}

test('the sign-in of the example receiver leads to /apilogin, with its own /callback as the return URL', async () => {
  const { apiLogin, returnUrl } = await begin();
  expect(apiLogin.pathname).toBe('/apilogin');
  expect(returnUrl.origin + returnUrl.pathname).toBe(`${receiverUrl}/callback`);
});

test("a visitor comes back to a page that shows the token's account and has no token in its address", async () => {
  const { returnUrl, cookies } = await begin();
  const back = await get(`/callback${returnUrl.search}&token=${TOKEN}`, cookies);
  expect([back.status, back.headers.get('Location')]).toEqual([303, '/']);
  expect(back.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(back.headers.get('Cache-Control')).toBe('no-store');
  expect(presented).toEqual([`Bearer ${TOKEN}`]);

  const page = await (await get('/', cookiesOf(back))).text();
  expect(page).toContain('ada@example.org');
  expect(page).toContain('&#60;b&#62;Ada&#60;/b&#62;');
  for (const shown of [page, cookiesOf(back), output]) expect(shown).not.toContain(TOKEN);
});

test('a token that the receiver did not ask for is not used, and is removed from the address bar', async () => {
  const { returnUrl } = await begin();
  const others = await begin();
  for (const cookies of ['', others.cookies]) {
    const response = await get(`/callback${returnUrl.search}&token=${TOKEN}`, cookies);
    expect(locationAndCookies(response)).toEqual(['/problem?of=foreign', []]);
  }
  expect(presented).toEqual([]);
});

test('a token that Signpost rejects signs nobody in, and is removed from the address bar', async () => {
  const { returnUrl, cookies } = await begin();
  const response = await get(`/callback${returnUrl.search}&token=other`, cookies);
  expect(locationAndCookies(response)).toEqual(['/problem?of=refused', []]);
  expect(presented).toEqual(['Bearer other']);
});

test('the session cookie stops working after signing out', async () => {
  const { returnUrl, cookies } = await begin();
  const session = cookiesOf(await get(`/callback${returnUrl.search}&token=${TOKEN}`, cookies));
  const isSignedIn = async () => (await (await get('/', session)).text()).includes('ada@example.org');
  expect(await isSignedIn()).toBe(true);
  await fetch(`${receiverUrl}/logout`, { method: 'POST', redirect: 'manual', headers: { Cookie: session } });
  expect(await isSignedIn()).toBe(false);
});
