import type { ICredentialDataDecryptedObject, ICredentialTestFunction } from 'n8n-workflow';
import { operations } from '../../../contract/src/index';
import { signpostApiTest } from '../../../nodes/Signpost/signpost-service';
import { signpostReferralApiTest } from '../../../nodes/SignpostReferral/referral-service';
import { networkFailure } from '../fixtures/fake-execution';
import { asCredentialTest } from '../fixtures/trusted-cast';

/** The message that n8n shows under a credential, and the request with which it tested the credential. */
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

test('n8n tests a key with its usage, a refresh token with a refresh, and an access token with its status', async () => {
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

const foreign = [
  answered(200, '<html>Hello</html>'),
  answered(200, { ok: true }),
  answered(404, { error: 'Not Found' }),
  answered(401, 'Unauthorized'),
];
const unreached = () => Promise.reject(networkFailure('ECONNREFUSED'));
const REFUSED = { error: 'The server says no.' };

test.each<[string, ICredentialTestFunction, ICredentialDataDecryptedObject, string]>([
  ['key', signpostApiTest, apiKey, 'http://b.test does not know this API key'],
  ['refresh token', signpostReferralApiTest, refresh, 'The refresh token is refused'],
  ['access token', signpostReferralApiTest, access, 'has ended or is wrong'],
])('the test of a %s says what is wrong', async (_name, test, data, refused) => {
  const message = async (answer: () => unknown, more = {}) => {
    const said = await tried(test, { ...data, ...more }, answer);
    expect(said.status).toBe('Error');
    expect(said.message).not.toMatch(/sp_live_1|secret|a\.b\.c/u);
    return said.message;
  };
  expect(await message(answered(401, REFUSED))).toContain(refused);
  expect(await message(unreached)).toMatch(
    /No server can be reached at http:\/\/b\.test \(ECONNREFUSED\)\. .*Docker/u,
  );
  expect(await message(answered(503, REFUSED))).toBe(REFUSED.error);
  expect(await message(answered(301, '', { location: 'https://b.test/' }))).toContain('https://b.test/');
  expect(await message(unreached, { baseUrl: 'b.test' })).toContain('not a whole address');
  expect(await message(answered(502, '<html>Bad Gateway</html>'))).toBe(
    'http://b.test answers 502: is the server behind it running?',
  );
  for (const answer of foreign)
    expect(await message(answer)).toBe(
      'What answers at http://b.test is not a Signpost server. Check the Base URL.',
    );
  const [page = unreached] = foreign;
  expect(await message(page, { baseUrl: 'http://b.test/console' })).toContain(
    'Check the Base URL: most have nothing after the host and port.',
  );
  const notSent = () => Promise.reject(networkFailure('ERR_INVALID_CHAR'));
  expect(await message(notSent)).toContain('contains characters that no key or token has. Copy it again');
  const noHttp = () => Promise.reject(networkFailure('HPE_INVALID_CONSTANT'));
  expect(await message(noHttp)).toContain('Enter the Base URL with https://');
  const plain = () => Promise.reject(networkFailure('EPROTO'));
  expect(await message(plain, { baseUrl: 'https://b.test' })).toContain('Enter the Base URL with http://');
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
