import { NodeApiError } from 'n8n-workflow';
import { fakeExecution, httpFailure, networkFailure, success } from '../fixtures/fake-execution';
import { ServiceClient } from '../../../nodes/shared/service-client';
import type { Service, ServiceRequest } from '../../../nodes/shared/service';

const service: Service = {
  credentialType: 'signpostApi',
  baseUrl: 'http://signpost.test',
  credentials: {},
  identity: 'http://signpost.test key',
  advice: ({ status }) => `Advice for ${status ?? 'none'}.`,
};
const openService = () => Promise.resolve(service);
const request: ServiceRequest = { method: 'POST', path: '/x', isRepeatable: true, timeoutMs: 1000 };
const patient = { itemIndex: 3, maximumWaitMs: 120_000 };
const limited = (seconds: number) =>
  httpFailure(
    429,
    { error: `The limit is used up. Try again in ${seconds} seconds.` },
    { 'retry-after': String(seconds) },
  );

/** Sends a request to a server that fails with these errors first, and then succeeds. */
function sending(
  failures: readonly Error[],
  sent: ServiceRequest = request,
  options = patient,
  signal?: AbortSignal,
) {
  const left = [...failures];
  const { context, requests } = fakeExecution({
    parameters: {},
    ...(signal === undefined ? {} : { cancelSignal: signal }),
    answer: () => {
      const failure = left.shift();
      return failure === undefined ? success({ done: true }) : Promise.reject(failure);
    },
  });
  const answer = new ServiceClient(context, openService).send(sent, options);
  const settled = answer.then(
    ({ body }) => body,
    (error: unknown) => error,
  );
  return { settled, requests };
}

const errorOf = (settled: unknown): NodeApiError => {
  if (settled instanceof NodeApiError) return settled;
  throw new Error(`No NodeApiError: ${JSON.stringify(settled)}`);
};

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12, 0, 30) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('the node waits for a used-up limit as long as the server says, to the second', async () => {
  const { settled, requests } = sending([limited(30)]);
  await jest.advanceTimersByTimeAsync(29_900);
  expect(requests).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await settled).toEqual({ done: true });
  expect(requests).toHaveLength(2);
});

test('a wait longer than the user allows is an error at once that says how long to wait', async () => {
  const said = 'The limit of this API key, 20 requests per day, is used up. Try again in 41370 seconds.';
  const { settled, requests } = sending([httpFailure(429, { error: said }, { 'retry-after': '41370' })]);
  const error = errorOf(await settled);
  expect(error.message).toMatch(
    /^The limit of this API key, 20 requests per day, is used up\. Run this again after 2026-03-01 23:30:0\d UTC, in 11 hours and 30 minutes\.$/u,
  );
  expect(error.description).toContain('120 seconds');
  expect(error).toMatchObject({ httpCode: '429', context: { itemIndex: 3 } });
  expect(requests).toHaveLength(1);
});

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [3_540, '59 minutes'],
  [3_541, '1 hour'],
  [7_260, '2 hours and 1 minute'],
])('a wait of %d seconds is shown as %p, and not a second time in seconds', async (seconds, words) => {
  const { settled } = sending([limited(seconds)], request, { itemIndex: 0, maximumWaitMs: 0 });
  const { message } = errorOf(await settled);
  expect(message).toContain(` UTC, in ${words}.`);
  expect(message).not.toMatch(/Try again in/u);
});

test('with a Maximum Wait of 0, a request does not wait', async () => {
  const { settled, requests } = sending([limited(1)], request, { itemIndex: 0, maximumWaitMs: 0 });
  expect(errorOf(await settled).httpCode).toBe('429');
  expect(requests).toHaveLength(1);
});

test('the waits of one request add up to at most the Maximum Wait', async () => {
  const { settled, requests } = sending([limited(60), limited(59), limited(60)]);
  await jest.runAllTimersAsync();
  expect(errorOf(await settled).httpCode).toBe('429');
  expect(requests).toHaveLength(3);
});

test.each([
  ['503 without Retry-After', httpFailure(503, { error: 'Busy.' })],
  ['502 of a proxy', httpFailure(502, '<html>Bad Gateway</html>')],
  ['504 of a proxy', httpFailure(504, '<html>Gateway Timeout</html>')],
  ['a broken connection', networkFailure('ECONNRESET')],
  ['a refused connection', networkFailure('ECONNREFUSED')],
  ['a response that breaks off', networkFailure('ERR_BAD_RESPONSE')],
  ['a response that breaks off, in newer versions of n8n', httpFailure(200, undefined)],
])('a request with the outcome %s is repeated', async (_name, failure) => {
  const { settled, requests } = sending([failure, failure]);
  await jest.runAllTimersAsync();
  expect(await settled).toEqual({ done: true });
  expect(requests).toHaveLength(3);
});

test.each([400, 401, 413, 500])('a request with the status %d is not repeated', async (status) => {
  const { settled, requests } = sending([httpFailure(status, { error: 'No.' })]);
  const error = errorOf(await settled);
  expect([error.message, error.description, error.httpCode]).toEqual([
    'No.',
    `Advice for ${status}.`,
    String(status),
  ]);
  expect(requests).toHaveLength(1);
});

test('a server that cannot be reached is an error after five tries, with address and reason', async () => {
  const { settled, requests } = sending(Array.from({ length: 9 }, () => networkFailure('ECONNREFUSED')));
  await jest.runAllTimersAsync();
  const error = errorOf(await settled);
  expect(error.message).toBe('The Signpost server cannot be reached: the connection was refused');
  expect(error.description).toContain('http://signpost.test: ECONNREFUSED.');
  expect(error.description).toContain('Docker');
  expect(requests).toHaveLength(5);
});

test.each([
  ['ERR_INVALID_CHAR', 'contains characters that no key or token has', 'Copy it again'],
  ['HPE_INVALID_CONSTANT', 'does not speak HTTP', 'with https://'],
  ['EPROTO', 'does not speak https', 'with http://'],
])(
  'a request that fails with %s is an error at once that says why and what to do',
  async (code, why, advice) => {
    const { settled, requests } = sending([networkFailure(code)]);
    expect(errorOf(await settled)).toMatchObject({
      message: expect.stringContaining(why),
      description: expect.stringContaining(advice),
    });
    expect(requests).toHaveLength(1);
  },
);

test.each([
  ['a broken connection', networkFailure('ECONNRESET')],
  ['503 of who knows whom', httpFailure(503, 'Service Unavailable')],
])('a request that must not run twice is not repeated after %s', async (_name, failure) => {
  const { settled, requests } = sending([failure], { ...request, isRepeatable: false });
  await jest.runAllTimersAsync();
  expect(await settled).toBeInstanceOf(NodeApiError);
  expect(requests).toHaveLength(1);
});

test("the server's message is read from a response in bytes", async () => {
  const { settled } = sending([httpFailure(400, Buffer.from('{"error":"width is 5; at least 16."}'))]);
  expect(errorOf(await settled).message).toBe('width is 5; at least 16.');
});

test('stopping the execution ends a wait with an error', async () => {
  const stop = new AbortController();
  const { settled, requests } = sending([limited(100)], request, patient, stop.signal);
  await jest.advanceTimersByTimeAsync(1_000);
  stop.abort();
  await jest.advanceTimersByTimeAsync(0);
  expect(await settled).toMatchObject({ message: 'The execution was stopped' });
  expect(requests).toHaveLength(1);
});

test('twelve simultaneous items get through a limit of five per minute with a Maximum Wait of 61 seconds', async () => {
  let minute = -1;
  let count = 0;
  const { context, requests } = fakeExecution({
    parameters: {},
    answer: () => {
      const now = Math.floor(Date.now() / 60_000);
      if (now !== minute) [minute, count] = [now, 0];
      count += 1;
      return count <= 5 ? success({ done: true }) : Promise.reject(limited(60 - ((Date.now() / 1000) % 60)));
    },
  });
  const client = new ServiceClient(context, openService);
  const all = Promise.all(
    Array.from({ length: 12 }, (_, itemIndex) => client.send(request, { itemIndex, maximumWaitMs: 61_000 })),
  );
  await jest.advanceTimersByTimeAsync(200_000);
  expect(await all).toHaveLength(12);
  expect(requests.length).toBeLessThan(30);
});

test('a request that waits for its next try is not sent if the client is stopped meanwhile', async () => {
  const { context, requests } = fakeExecution({ parameters: {}, answer: () => Promise.reject(limited(10)) });
  const client = new ServiceClient(context, openService);
  const waiting = client.send(request, patient).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(0);
  expect(requests).toHaveLength(1);
  client.stop();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await waiting).toMatchObject({ message: 'Not sent, because another item has failed' });
  expect(requests).toHaveLength(1);
});

const NOTHING_HERE = { error: 'There is nothing at this path.' };

test.each([
  ['404 of a Signpost server that has no such path', 404, NOTHING_HERE, { 'x-signpost-error': 'notFound' }],
  ['404 of somebody else', 404, NOTHING_HERE, {}],
  ['404 that is a page', 404, '<html>', {}],
  ['405', 405, { error: 'Not allowed.' }, {}],
  ['401 without words', 401, '', {}],
])('%s is an error that names the Base URL and what to enter', async (_name, status, body, headers) => {
  const { settled } = sending([httpFailure(status, body, headers)]);
  const error = await settled;
  expect(error).toMatchObject({
    message: 'The Base URL in the credential is wrong',
    description: expect.stringContaining(
      'Set Base URL in the credential to the address of the server itself',
    ),
    context: { itemIndex: 3 },
  });
  expect(error).not.toBeInstanceOf(NodeApiError);
});

test('the error of a Base URL with a path names the address without the path', async () => {
  const { context } = fakeExecution({
    parameters: {},
    answer: () => Promise.reject(httpFailure(404, NOTHING_HERE)),
  });
  const open = () => Promise.resolve({ ...service, baseUrl: 'http://signpost.test:8080/api' });
  await expect(new ServiceClient(context, open).send(request, patient)).rejects.toMatchObject({
    description:
      'http://signpost.test:8080/api answered 404, which a Signpost server does not do. Set Base URL in the credential to the address of the server itself, such as http://signpost.test:8080.',
  });
});

test('the error of an unknown path that a user entered has the message of the service', async () => {
  const { settled } = sending([httpFailure(404, { error: 'No such service.' })], {
    ...request,
    isOwnPath: true,
  });
  expect(errorOf(await settled)).toMatchObject({ message: 'No such service.', httpCode: '404' });
});
