import type { IDataObject } from 'n8n-workflow';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, httpFailure, success } from '../fixtures/fake-execution';
import { referralService } from '../../../nodes/SignpostReferral/referral-service';
import { send } from '../../../nodes/SignpostReferral/send-call';

const json = (value: unknown) =>
  success(Buffer.from(JSON.stringify(value)), { 'content-type': 'application/json; charset=utf-8' });

async function run(
  parameters: IDataObject,
  answer: () => unknown = () => json({ ok: true }),
  connectWith = 'refreshToken',
) {
  const credentials = { baseUrl: 'https://referral.test/base/', connectWith };
  const { context, requests } = fakeExecution({ parameters, answer, credentials });
  const client = new ServiceClient(context, referralService);
  const output = await runOperation(context, client, send);
  return { output, request: requests[0] };
}

test.each(['https://evil.test/x', '//evil.test/x', '/\\evil.test', 'HTTP:evil.test', '/a\n/b'])(
  'the path %j is rejected as a whole address, before a request',
  async (path) => {
    const answer = jest.fn(() => json({ ok: true }));
    await expect(run({ path }, answer)).rejects.toMatchObject({ message: 'Path holds a whole address' });
    expect(answer).not.toHaveBeenCalled();
  },
);

test.each(['../x', '/a/../../x', '/%2e%2e/x', '/a/%2E./x', '/.', '/a\\..\\x'])(
  'the path %j is rejected before a request, because it leads out of the service',
  async (path) => {
    const answer = jest.fn(() => json({ ok: true }));
    await expect(run({ path }, answer)).rejects.toMatchObject({ message: 'Path leads out of the service' });
    expect(answer).not.toHaveBeenCalled();
  },
);

test('a call sends its path, query and body as entered', async () => {
  const pairs: [string, unknown][] = [
    ['page', 2],
    ['tag', 'a'],
    ['tag', 'b'],
  ];
  const parameters = pairs.map(([name, value]) => ({ name, value }));
  const { request } = await run({
    method: 'POST',
    path: 'api/x',
    query: { parameters },
    body: '{"name":"N"}',
  });
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://referral.test/base/api/x',
    qs: { page: ['2'], tag: ['a', 'b'] },
    arrayFormat: 'repeat',
    body: { name: 'N' },
    disableFollowRedirect: true,
  });
});

test('a call whose body is not JSON is rejected before a request', async () => {
  const answer = jest.fn(() => json({ ok: true }));
  await expect(run({ method: 'POST', path: '/x', body: '{name}' }, answer)).rejects.toMatchObject({
    message: 'Body is not valid JSON',
  });
  expect(answer).not.toHaveBeenCalled();
});

test('a response that is a list becomes an item for each entry', async () => {
  const { output } = await run({ path: '/x' }, () => json([{ id: 1 }, 'two']));
  expect(output.map((item) => item.json)).toEqual([{ id: 1 }, { data: 'two' }]);
});

test('a full response has status, headers and body', async () => {
  const { output } = await run({ path: '/x', options: { fullResponse: true } }, () => json([1]));
  expect(output.map((item) => item.json)).toEqual([
    { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: [1] },
  ]);
});

test('a text response becomes an item with the text, an empty one an empty item, and a ZIP an item with a file', async () => {
  const text = await run({ path: '/x' }, () =>
    success(Buffer.from('Hello'), { 'content-type': 'text/plain' }),
  );
  expect(text.output[0]?.json).toEqual({ data: 'Hello' });
  for (const type of [undefined, 'application/json', 'text/plain', 'image/png']) {
    const nothing = await run({ path: '/x' }, () => success(Buffer.alloc(0), { 'content-type': type }));
    expect(nothing.output).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
  }
  const file = await run({ path: '/x' }, () =>
    success(Buffer.from('PK'), { 'content-type': 'application/zip' }),
  );
  expect(file.output[0]).toMatchObject({
    json: { mimeType: 'application/zip', fileSizeBytes: 2, binaryField: 'data' },
    binary: { data: { data: 'UEs=' } },
  });
});

test.each([
  ['refreshToken', 'The refresh token is refused'],
  ['accessToken', 'there is no refresh token to renew it'],
])(
  'the error about a rejected token of a credential with %s explains the rejection',
  async (connectWith, expected) => {
    const refused = () => Promise.reject(httpFailure(401, Buffer.from('{"error":"Ended."}')));
    await expect(run({ path: '/x' }, refused, connectWith)).rejects.toMatchObject({
      message: 'Ended.',
      description: expect.stringContaining(expected),
    });
  },
);
