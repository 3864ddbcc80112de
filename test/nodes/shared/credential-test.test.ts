import type { ICredentialDataDecryptedObject, ICredentialTestFunction } from 'n8n-workflow';
import { ERROR_HEADER, type ErrorName, operations } from '../../../contract/src/index';
import { signpostApiTest } from '../../../nodes/Signpost/signpost-service';
import { signpostReferralApiTest } from '../../../nodes/SignpostReferral/referral-service';
import { networkFailure } from '../fixtures/fake-execution';
import { asCredentialTest } from '../fixtures/trusted-cast';

/** Tests a credential. Returns the status and message that n8n shows, and the request that was sent. */
async function tried(
  test: ICredentialTestFunction,
  data: ICredentialDataDecryptedObject,
  answer: (request: unknown) => unknown,
) {
  const request = jest.fn((sent: unknown) => Promise.resolve(answer(sent)));
  const context = asCredentialTest({ helpers: { request } });
  const credential = { id: '1', name: 'one', type: 'any', data: { baseUrl: 'http://b.test/', ...data } };
  return { ...(await test.call(context, credential)), sent: request.mock.calls[0]?.[0] };
}

const answered =
  (statusCode: number, body: unknown, headers = {}) =>
  () => ({ statusCode, body, headers });
const apiKey = { apiKey: 'Bearer sp_live_1' };
const refresh = { connectWith: 'refreshToken', refreshToken: ' bearer secret ' };
const access = { connectWith: 'accessToken', pastedAccessToken: 'Bearer a.b.c' };

test('n8n tests a key by getting its usage, a refresh token by using it, and an access token by getting its status', async () => {
  const ofKey = await tried(signpostApiTest, apiKey, answered(200, { totalRequests: 1 }));
  expect(ofKey).toMatchObject({
    status: 'OK',
    sent: { uri: `http://b.test${operations.getUsage.path}`, headers: { 'X-Api-Key': 'sp_live_1' } },
  });
  const ofRefresh = await tried(signpostReferralApiTest, refresh, answered(200, { access_token: 'a.b.c' }));
  expect(ofRefresh).toMatchObject({
    status: 'OK',
    sent: {
      method: 'POST',
      uri: `http://b.test${operations.refreshToken.path}`,
      body: { refreshToken: 'secret' },
    },
  });
  const ofAccess = await tried(signpostReferralApiTest, access, answered(200, { identity: {} }));
  expect(ofAccess).toMatchObject({
    status: 'OK',
    sent: {
      uri: `http://b.test${operations.getTokenStatus.path}`,
      headers: { Authorization: 'Bearer a.b.c' },
    },
  });
});

test('the test of a key passes if the key is restricted to other operations, and fails for another 403', async () => {
  const answer = { error: 'This key is for postcodes only.' };
  const restricted = answered(403, answer, { [ERROR_HEADER.toLowerCase()]: 'forbidden' satisfies ErrorName });
  expect(await tried(signpostApiTest, apiKey, restricted)).toMatchObject({ status: 'OK' });
  expect(await tried(signpostApiTest, apiKey, answered(403, answer))).toMatchObject({ status: 'Error' });
});

const unreached = () => Promise.reject(networkFailure('ECONNREFUSED'));
const REFUSED = { error: 'The server says no.' };

const failing = (code: string) => () => Promise.reject(networkFailure(code));
const FOREIGN = 'What answers at http://b.test is not a Signpost server. Check the Base URL.';

describe.each<[string, ICredentialTestFunction, ICredentialDataDecryptedObject, string]>([
  ['key', signpostApiTest, apiKey, 'http://b.test does not know this API key'],
  ['refresh token', signpostReferralApiTest, refresh, 'The refresh token is refused'],
  ['access token', signpostReferralApiTest, access, 'has ended or is wrong'],
])('the test of a %s', (_name, credentialTest, data, refused) => {
  test.each<[string, () => unknown, string | RegExp, string?]>([
    ['the server refuses it', answered(401, REFUSED), refused],
    [
      'no server can be reached',
      unreached,
      /No server can be reached at http:\/\/b\.test \(ECONNREFUSED\)\. .*Docker/u,
    ],
    ['the server gives a reason', answered(503, REFUSED), /^The server says no\.$/u],
    ['the address redirects', answered(301, '', { location: 'https://b.test/' }), 'https://b.test/'],
    ['the Base URL has no scheme', unreached, 'not a whole address', 'b.test'],
    [
      'a proxy has no server behind it',
      answered(502, '<html>Bad Gateway</html>'),
      /^http:\/\/b\.test answers 502: is the server behind it running\?$/u,
    ],
    ['another server sends a page', answered(200, '<html>Hello</html>'), FOREIGN],
    ['another server sends JSON', answered(200, { ok: true }), FOREIGN],
    ['another server sends a 404', answered(404, { error: 'Not Found' }), FOREIGN],
    ['another server sends a 401', answered(401, 'Unauthorized'), FOREIGN],
    [
      'the Base URL has a path too many',
      answered(200, '<html>Hello</html>'),
      'Check the Base URL: most have nothing after the host and port.',
      'http://b.test/console',
    ],
    [
      'it contains a line break',
      failing('ERR_INVALID_CHAR'),
      'contains characters that no key or token has. Copy it again',
    ],
    ['the server wants https', failing('HPE_INVALID_CONSTANT'), 'Enter the Base URL with https://'],
    ['the server wants http', failing('EPROTO'), 'Enter the Base URL with http://', 'https://b.test'],
  ])('a failed credential test says why: %s', async (_case, answer, message, baseUrl = 'http://b.test') => {
    const result = await tried(credentialTest, { ...data, baseUrl }, answer);
    expect(result.status).toBe('Error');
    expect(result.message).toMatch(message);
    expect(result.message).not.toMatch(/sp_live_1|secret|a\.b\.c/u);
  });
});

test('the test of a credential whose limit is used up says the wait in hours and minutes', async () => {
  const error = 'The limit of this key is used up. Try again in 41400 seconds.';
  const { message } = await tried(
    signpostApiTest,
    apiKey,
    answered(429, { error }, { 'retry-after': '41400' }),
  );
  expect(message).toMatch(
    /^The limit of this key is used up\. Run this again after .* UTC, in 11 hours and 30 minutes\.$/u,
  );
  expect((await tried(signpostApiTest, apiKey, answered(429, REFUSED))).message).toBe(REFUSED.error);
});
