// A site whose visitors sign in with Signpost: one file, no packages.
//   node receiver.mjs --signpost https://signpost.example --port 4000
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    signpost: { type: 'string', default: 'http://127.0.0.1:3000' },
    port: { type: 'string', default: '4000' },
  },
});
const HOST = '127.0.0.1';
const signpost = options.signpost.replace(/\/$/, '');
const TIMEOUT_MS = 10_000;
const STATE_SECONDS = 600;

/**
 * The sign-ins, by the value of the visitor's cookie. The token is kept only here: in no page, no cookie and no log.
 */
const sessions = new Map();

const newId = () => randomBytes(32).toString('base64url');

// If this site is served over https, add "; Secure".
const cookie = (name, value, seconds) =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;

function cookieOf(request, name) {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
};

function sendPage(response, status, title, content) {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`);
}

const PROBLEMS = new Map([
  ['foreign', 'This sign-in was not begun here'],
  ['cancelled', 'You cancelled the sign-in'],
  ['refused', 'Signpost did not accept the token'],
  ['unanswered', 'Signpost did not respond'],
]);

function redirect(response, location, ...cookies) {
  response.writeHead(303, { ...HEADERS, Location: location, 'Set-Cookie': cookies }).end();
}

/** GET /: shows who is signed in, or the link to sign in. */
function showHome(request, response) {
  const session = sessions.get(cookieOf(request, 'receiver_session'));
  if (session === undefined) {
    sendPage(response, 200, 'Welcome', '<p><a href="/login">Sign in with Signpost</a></p>');
    return;
  }
  const { email, name, id: accountId } = session.identity;
  const content = `<p>Signed in as <strong>${escapeHtml(name ?? email)}</strong> until ${escapeHtml(session.validTo)}.</p>
<dl>
<dt>E-mail</dt><dd>${escapeHtml(email)}</dd>
<dt>Account</dt><dd>${escapeHtml(accountId)}</dd>
</dl>
<form method="post" action="/logout"><button>Sign out</button></form>`;
  sendPage(response, 200, 'You are signed in', content);
}

/** GET /login: sends the browser to Signpost, with a cookie by which it is recognised when it returns. */
function beginLogin(response) {
  const state = newId();
  const returnUrl = `${ownOrigin()}/callback?state=${state}`;
  const location = `${signpost}/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`;
  redirect(response, location, cookie('receiver_state', state, STATE_SECONDS));
}

/**
 * GET /callback?state=…&token=… or &error=…: signs the visitor in if the state is that of the visitor's cookie and
 * Signpost accepts the token. Always redirects, so that the token does not stay in the address.
 */
async function finishLogin(request, response, query) {
  const state = cookieOf(request, 'receiver_state');
  const token = query.get('token');
  // Without this check, anybody could send a visitor a link that signs the visitor in to somebody else's account.
  const isOwn = state !== undefined && query.get('state') === state;
  if (isOwn && query.get('error') === 'access_denied') {
    redirect(response, '/problem?of=cancelled', cookie('receiver_state', '', 0));
    return;
  }
  if (!isOwn || token === null) {
    redirect(response, '/problem?of=foreign');
    return;
  }
  const status = await fetch(`${signpost}/api/token/status`, {
    headers: { Authorization: `Bearer ${token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!status.ok) {
    redirect(response, '/problem?of=refused');
    return;
  }
  const { identity, valid_to: validTo } = await status.json();
  const id = newId();
  const leftMs = Date.parse(validTo) - Date.now();
  sessions.set(id, { token, identity, validTo });
  setTimeout(() => sessions.delete(id), leftMs).unref();
  redirect(
    response,
    '/',
    cookie('receiver_session', id, Math.floor(leftMs / 1000)),
    cookie('receiver_state', '', 0),
  );
}

/** GET /problem?of=…: shows why nobody was signed in. */
function showProblem(response, query) {
  const title = PROBLEMS.get(query.get('of')) ?? 'Something went wrong';
  sendPage(response, 400, title, '<p><a href="/login">Try again</a></p>');
}

/** POST /logout: forgets the token, which stays valid until it expires. */
function logOut(request, response) {
  sessions.delete(cookieOf(request, 'receiver_session'));
  redirect(response, '/', cookie('receiver_session', '', 0));
}

const ownOrigin = () => `http://${HOST}:${server.address().port}`;

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, ownOrigin());
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /') showHome(request, response);
  else if (route === 'GET /login') beginLogin(response);
  else if (route === 'GET /callback') await finishLogin(request, response, searchParams);
  else if (route === 'GET /problem') showProblem(response, searchParams);
  else if (route === 'POST /logout') logOut(request, response);
  else sendPage(response, 404, 'There is nothing here', '<p><a href="/">To the start</a></p>');
}

const server = createServer((request, response) => {
  // What failed is not printed: an error may quote the address, and with it the token.
  answer(request, response).catch(() => redirect(response, '/problem?of=unanswered'));
});
server.listen(Number(options.port), HOST, () => {
  console.log(`Receiver at ${ownOrigin()}/ with the return URL ${ownOrigin()}/callback`);
});
