import { isOwnMachine, isSameRedirect, redirectUriProblem, withParameters } from './redirect-uri.js';

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://vscode.dev/redirect',
  'https://n8n.example:5678/rest/oauth2-credential/callback?a=b',
  'http://localhost/callback',
  'http://localhost:8787/callback',
  'http://127.0.0.1:33418/',
  'http://[::1]:33418',
  'cursor://anysphere.cursor-retrieval/oauth/user/callback',
  'com.example.app:/callback',
])('accepts the redirect %s', (uri) => {
  expect(redirectUriProblem(uri)).toBeUndefined();
});

test.each([
  'http://app.example/callback',
  'http://localhost.evil.example/callback',
  'http://127.0.0.1.evil.example/',
  'http://localhost@evil.example/',
  'http://localhost:80@evil.example/',
  'https://assistant.example@evil.example/callback',
  'https://@evil.example/callback',
  'https://evil.example\\@assistant.example/callback',
  'https:user@evil.example/callback',
  'https:evil.example/callback',
  'https:/evil.example/callback',
  'https:///evil.example/callback',
  'https:\\evil.example/callback',
  'https://assistant.example/callback#part',
  'https://assistant.example/call back',
  'https://assistant.example/\r\nLocation: https://evil.example',
  'https://assistant.example/<script>',
  'javascript:alert(1)',
  'javascript://assistant.example/%0aalert(1)',
  'data:text/html,hello',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://assistant.example/1',
  'mailto:ada@example.org',
  '/callback',
  'assistant.example/callback',
  '//assistant.example/callback',
  '',
  `https://assistant.example/${'a'.repeat(2_048)}`,
])('rejects the redirect %j', (uri) => {
  expect(redirectUriProblem(uri)).toMatch(/^A redirect URI (?:with https? )?must/u);
});

test.each([
  ['http://localhost/callback', true],
  ['cursor://anysphere.cursor-retrieval/oauth', true],
  ['https://localhost/callback', true],
  ['https://localhost:8443/callback', true],
  ['https://LOCALHOST./callback', true],
  ['https://app.localhost/callback', true],
  ['https://127.0.0.1/callback', true],
  ['https://127.1:8443/callback', true],
  ['https://[::1]/callback', true],
  ['https://[::ffff:127.0.0.1]/callback', true],
  ['https://assistant.example/callback', false],
  ['https://localhost.assistant.example/callback', false],
  ['https://128.0.0.1/callback', false],
])('tells whether a program on the same machine receives the redirect %s: %s', (uri, isOwn) => {
  expect(isOwnMachine(uri)).toBe(isOwn);
});

const REGISTERED = 'https://assistant.example/callback';

test.each([
  'https://assistant.example/callback/',
  'https://assistant.example/callback/more',
  'https://assistant.example/callbacks',
  'https://assistant.example/Callback',
  'https://ASSISTANT.example/callback',
  'https://assistant.example:443/callback',
  'https://assistant.example:8443/callback',
  'https://assistant.example/callback?a=b',
  'https://assistant.example/x/../callback',
  'https://assistant.example/%63allback',
  'https://assistant.example',
  'http://assistant.example/callback',
  'https://www.assistant.example/callback',
])('rejects %s, which is not the registered redirect', (uri) => {
  expect(isSameRedirect(REGISTERED, uri)).toBe(false);
});

test('accepts the registered redirect', () => {
  expect(isSameRedirect(REGISTERED, REGISTERED)).toBe(true);
});

test.each([
  ['http://localhost/callback', 'http://localhost:51234/callback', true],
  ['http://localhost:3000/callback', 'http://localhost/callback', true],
  ['http://127.0.0.1:33418/', 'http://127.0.0.1:40000/', true],
  ['http://[::1]:1/a?b=c', 'http://[::1]:2/a?b=c', true],
  ['http://localhost/callback', 'http://127.0.0.1/callback', false],
  ['http://localhost/callback', 'http://localhost:3000/callback/', false],
  ['http://localhost/callback', 'http://localhost:3000/other', false],
  ['http://localhost/callback', 'http://localhost.evil.example/callback', false],
  ['http://localhost/callback', 'http://localhost:80@evil.example/callback', false],
  ['http://localhost/callback', 'https://localhost:3000/callback', false],
])(
  'a redirect to the same machine may differ from the registered one only in its port: %s, %s',
  (registered, wanted, isSame) => {
    expect(isSameRedirect(registered, wanted)).toBe(isSame);
  },
);

test('appends parameters to a redirect, and leaves its own query unchanged', () => {
  expect(withParameters('https://a.example/b?c=%20d', { state: 'x&y', iss: 'https://z' })).toBe(
    'https://a.example/b?c=%20d&state=x%26y&iss=https%3A%2F%2Fz',
  );
  expect(withParameters('com.example:/b', { code: '1' })).toBe('com.example:/b?code=1');
});
