import { createLogger } from './log.js';

const linesOf = (log: (logger: ReturnType<typeof createLogger>) => void) => {
  const lines: string[] = [];
  log(createLogger('info', { write: (line) => lines.push(line) }));
  return lines;
};

test('writes each line as one JSON object with level, UTC time, fields and message', () => {
  const [line] = linesOf((logger) => logger.warn({ status: 503 }, 'A request was not served.'));
  expect(JSON.parse(line ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/u),
    status: 503,
    msg: 'A request was not served.',
  });
});

test('redacts fields that hold secrets at any depth, whatever the case of their names', () => {
  const canary = 'canary-4711';
  const lines = linesOf((logger) => {
    logger.error({ apiKey: canary, headers: { 'x-api-key': canary, cookie: canary } }, 'first');
    logger.error(
      { request: { headers: { authorization: canary } }, account: { password: canary } },
      'second',
    );
    const headers = { 'Set-Cookie': [`a="${canary}"`, canary], 'Proxy-Authorization': `Basic "${canary}` };
    const answer = { config: { request: { tries: [{ headers, data: { accessToken: canary } }] } } };
    logger.error({ answer, err: Object.assign(new Error('refused'), answer), token: canary }, 'third');
  });
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'error' });
  expect(lines.join()).not.toContain(canary);
});

test('redacts an API key in a message and in the message of an error', () => {
  const key = `sp_live_${'a1B2'.repeat(9)}`;
  const [line] = linesOf((logger) =>
    logger.error({ err: new Error(`no row for ${key}`) }, `failed with ${key}`),
  );
  expect(line).not.toContain(key);
  expect(line).toContain('sp_live_[redacted]');
});

test('keeps the prefix of a key readable, in brackets', () => {
  const [line] = linesOf((logger) =>
    logger.info({ detail: 'sp_live_a1B2c3D4, by sp_live_e5F6g7H8' }, 'Audit.'),
  );
  expect(line).toContain('"detail":"sp_live_[a1B2c3D4…], by sp_live_[e5F6g7H8…]"');
});

const refreshToken = `rt_${'a1B2'.repeat(9)}xy`;
const header = Buffer.from('{"alg":"EdDSA","kid":"sig_1"}').toString('base64url');
const spacedHeader = Buffer.from('{ "alg":"EdDSA","kid":"sig_1"}').toString('base64url');
const payload = Buffer.from('{"sub":"acc_1","exp":1}').toString('base64url');
const signature = `${'-_a1'.repeat(21)}xA`;

test.each([
  ['a refresh token', refreshToken],
  ['a refresh token that was cut off', refreshToken.slice(0, 30)],
  ['a code of a connection', `sp_code_${'a1B2'.repeat(9)}xy`],
  ['an access token of a connection', `sp_access_${'a1B2'.repeat(9)}xy`],
  ['a refresh token of a connection', `sp_refresh_${'a1B2'.repeat(9)}xy.${'c3D4'.repeat(8)}`],
  ['an access token', `${header}.${payload}.${signature}`],
  ['the token of a link to a capture', `/c/${'a-1_'.repeat(5)}xy`],
  ['a token with a space in its header', `${spacedHeader}.${payload}.${signature}`],
  ['an access token without its signature', `${header}.${payload}`],
])('redacts %s, also inside other text', (_what, secret) => {
  for (const text of [
    secret,
    `at ${secret}!`,
    `?token=${secret}&a=b`,
    `"${secret}"`,
    `line\n${secret}\tend`,
  ]) {
    const [line = ''] = linesOf((logger) =>
      logger.error({ err: new Error(`no row for ${text}`), list: [text] }, `failed with ${text}`),
    );
    for (const part of secret.split('.')) expect(line).not.toContain(part);
    expect(line).toContain('redacted');
    expect(JSON.parse(line)).toMatchObject({ level: 'error' });
  }
});

test('does not redact words that only resemble a token', () => {
  const text = 'start_time of key.example.org, part_1 and eyes.open';
  expect(linesOf((logger) => logger.warn({}, text)).join()).toContain(text);
});

test('writes no lines below the chosen level', () => {
  expect(linesOf((logger) => logger.debug({}, 'detail'))).toEqual([]);
});
