import { execFileSync } from 'node:child_process';
import { operations, type Operation } from '@signpost/contract';
import { z } from 'zod';
import { requestFields } from '../request/request-fields.js';
import { maskRequest } from '../request/masked-request.js';
import { type Call, curlCode, javaScriptCode, pythonCode } from './request-code.js';
import { mcpCode } from './workflow-code.js';

const publicUrl = 'https://signpost.example';

function callOf(id: string, operation: Operation, values: Readonly<Record<string, unknown>> = {}): Call {
  const properties = Object.fromEntries(requestFields(operation).map(({ name, schema }) => [name, schema]));
  const request = operation.request === undefined ? undefined : maskRequest(values, properties);
  return { id, operation, request, publicUrl };
}

const tricky = { text: `It's "$HOME" \\ at\nSW1A 1AA` };
const lookUp = callOf('lookupPostcode', operations.lookupPostcode, { postcode: 'SW1A 1AA' });
const inText = callOf('findPostcodesInText', operations.findPostcodesInText, tricky);
const refresh = callOf('refreshToken', operations.refreshToken, { refreshToken: 'spr_secret' });
const page = callOf('captureScreenshot', operations.captureScreenshot, {
  url: `${publicUrl}/`,
  format: 'webp',
  fullPage: true,
  cookies: [{ name: 'session', value: 'very secret', path: '/' }],
  basicAuth: { username: 'ada', password: 'very secret' },
  headers: { 'X-Token': 'very secret' },
});
const status = callOf('getTokenStatus', operations.getTokenStatus);

/** The arguments that a shell with these environment variables passes to the curl command of a call. */
const wordsOf = (call: Call, environment: Record<string, string>) =>
  execFileSync('sh', ['-c', curlCode(call).replace(/^curl/mu, String.raw`printf '%s\n'`)], {
    env: environment,
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

describe('curl commands', () => {
  test('the curl command sends the API key and the body', () => {
    expect(wordsOf(lookUp, { KEY: 'sp_live_1' })).toEqual([
      '-H',
      'X-Api-Key: sp_live_1',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"postcode":"SW1A 1AA"}',
      'https://signpost.example/api/postcode/lookup',
    ]);
  });

  test('the body of the curl command passes through the shell with quotes and special characters unchanged', () => {
    expect(wordsOf(inText, { KEY: 'k', HOME: '/root' })).toContain(JSON.stringify(tricky));
  });

  test('the curl command writes the response to a file with the extension of the requested format', () => {
    expect(wordsOf(page, {})).toEqual(expect.arrayContaining(['-o', 'page.webp']));
    expect(wordsOf(callOf('capturePdf', operations.capturePdf, {}), {})).toContain('page.pdf');
  });

  test('the curl command sends the word Bearer and the access token for interface B', () => {
    expect(wordsOf(status, { TOKEN: 'eyJ' })).toEqual([
      '-H',
      'Authorization: Bearer eyJ',
      'https://signpost.example/api/token/status',
    ]);
  });

  test('the curl command has a shell variable for a secret in the body', () => {
    expect(wordsOf(refresh, { REFRESH_TOKEN: 'spr_1' })).toContain('{"refreshToken":"spr_1"}');
  });

  test('the curl command says that the whole key belongs there if only its first characters are known', () => {
    const command = curlCode({ ...lookUp, key: { text: 'sp_live_Ab12', isWhole: false } });
    expect(command).toMatch(/^KEY='sp_live_Ab12…' {2}# the whole key/u);
    expect(curlCode({ ...lookUp, key: { text: 'sp_live_whole', isWhole: true } })).toMatch(
      /^KEY='sp_live_whole'\n/u,
    );
  });
});

test.each([curlCode, javaScriptCode, pythonCode, mcpCode])('the code of %p contains no secret', (write) => {
  expect(write(page)).not.toContain('very secret');
  expect(write(page)).toContain('BASIC_AUTH_PASSWORD');
  expect(write(page)).toContain('HEADERS_X_TOKEN');
});

/** Runs a JavaScript program with a fake `fetch`. Returns the options that it passes to it, with the URL as `url`. */
const fetchedBy = (code: string) => {
  const program = `globalThis.fetch = async (url, init) => {
    console.log(JSON.stringify({ url, ...init })); process.exit(0); };\n${code}`;
  const environment = { KEY: 'k', TOKEN: 't', REFRESH_TOKEN: 'spr_1' };
  const words = ['--input-type=module', '--eval', program];
  const printed: unknown = JSON.parse(
    execFileSync(process.execPath, words, { env: environment, encoding: 'utf8' }),
  );
  return z.record(z.string(), z.unknown()).parse(printed);
};

test.each([
  [
    'a body',
    lookUp,
    { headers: { 'X-Api-Key': 'k', 'Content-Type': 'application/json' }, body: '{"postcode":"SW1A 1AA"}' },
  ],
  ['quotes and line breaks', inText, { body: JSON.stringify(tricky) }],
  ['a secret', refresh, { body: '{"refreshToken":"spr_1"}' }],
  ['an access token', status, { method: 'GET', headers: { Authorization: 'Bearer t' } }],
  ['the address of a page', page, { url: 'https://signpost.example/api/screenshot', method: 'POST' }],
])('the JavaScript program sends a request with %s', (_what, call, sent) => {
  expect(fetchedBy(javaScriptCode(call))).toMatchObject(sent);
});

test('the Python program uses Python literals, and environment variables for secrets', () => {
  expect(pythonCode(page)).toBe(`import os

import requests

response = requests.post(
    "https://signpost.example/api/screenshot",
    headers={"X-Api-Key": os.environ["KEY"]},
    json={
        "url": "https://signpost.example/",
        "format": "webp",
        "fullPage": True,
        "cookies": [
            {
                "name": "session",
                "value": os.environ["COOKIES_VALUE"],
                "path": "/",
            },
        ],
        "basicAuth": {
            "username": "ada",
            "password": os.environ["BASIC_AUTH_PASSWORD"],
        },
        "headers": {
            "X-Token": os.environ["HEADERS_X_TOKEN"],
        },
    },
    timeout=60,
)
if not response.ok:
    raise SystemExit(response.json()["error"])
with open("page.webp", "wb") as file:
    file.write(response.content)`);
  expect(pythonCode(status)).toContain('headers={"Authorization": "Bearer " + os.environ["TOKEN"]}');
});

test("the MCP call has the tool's name and arguments, and an operation without a tool has no MCP call", () => {
  expect(JSON.parse(mcpCode(lookUp) ?? '')).toEqual({
    method: 'tools/call',
    params: { name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } },
  });
  expect(mcpCode(callOf('getDirectory', operations.getDirectory))).toBeUndefined();
});
