import { fakeExecution, httpFailure, networkFailure, success } from '../fixtures/fake-execution';
import { lookupPostcode } from '../../../nodes/Signpost/postcode/look-up';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { contractOperation } from '../../../nodes/shared/contract-operations';
import type { Operation } from '../../../nodes/shared/operation';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';

const ITEMS = Array.from({ length: 300 }, (_, row) => ({ row }));
const ONE_EACH_AND_RETRIES_OF_ONE = ITEMS.length + 30;
const found = () => success({ result: { postcode: 'SW1A 1AA' } });
let executions = 0;

interface Setting {
  readonly answer: () => unknown;
  readonly items?: { row: number }[];
  readonly executionId?: string;
  readonly operation?: Operation;
}

/** Runs an operation, by default Look Up, for each item. Failed items go to the error output. */
async function lookUp({ answer, items = ITEMS, executionId, operation = lookupPostcode }: Setting) {
  const { context, requests } = fakeExecution({
    parameters: { postcode: 'SW1A 1AA' },
    items,
    answer,
    executionId: executionId ?? `outage-${(executions += 1)}`,
    continueOnFail: true,
    onError: 'continueErrorOutput',
    typeVersion: 1.1,
  });
  const startedMs = Date.now();
  const running = runOperation(context, new ServiceClient(context, signpostService), operation);
  await jest.runAllTimersAsync();
  const output = await running;
  return { json: output.map((item) => item.json), sent: requests.length, tookMs: Date.now() - startedMs };
}

const failing = (error: Error) => () => Promise.reject(error);
/** A server that accepts connections and never responds, so that n8n gives up. */
const silent = () =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(networkFailure('ECONNABORTED')), 60_000);
  });

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12, 0, 30) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('300 items at a server that refuses connections fail within 30 seconds, and each keeps the fields of its input', async () => {
  const { json, sent, tookMs } = await lookUp({ answer: failing(networkFailure('ECONNREFUSED')) });
  expect(sent).toBeLessThanOrEqual(ONE_EACH_AND_RETRIES_OF_ONE);
  expect(tookMs).toBeLessThan(30_000);
  expect(json).toEqual(
    ITEMS.map(({ row }) => ({
      row,
      error: 'The Signpost server cannot be reached: the connection was refused',
      details: { description: expect.stringContaining('ECONNREFUSED') },
    })),
  );
});

test('300 items at a silent server fail within a single timeout', async () => {
  const { json, sent, tookMs } = await lookUp({ answer: silent });
  expect(tookMs).toBeLessThan(61_000);
  expect(sent).toBeLessThanOrEqual(10);
  expect(json.map(({ row, error }) => [row, error])).toEqual(
    ITEMS.map(({ row }) => [row, 'The Signpost server did not answer in time']),
  );
  expect(json.at(-1)?.details).toMatchObject({ description: expect.stringContaining('was not sent') });
});

test.each([502, 503, 504])(
  'an execution with 300 items ends within about two minutes if a proxy always responds with %d',
  async (status) => {
    const { json, sent, tookMs } = await lookUp({ answer: failing(httpFailure(status, '<html>')) });
    expect(sent).toBeLessThanOrEqual(ONE_EACH_AND_RETRIES_OF_ONE);
    expect(tookMs).toBeLessThan(121_000);
    expect(json.every(({ details }) => JSON.stringify(details).includes(`"httpStatus":${status}`))).toBe(
      true,
    );
  },
);

test('after a timeout, the next round of the same execution sends nothing, and another execution does', async () => {
  const executionId = 'loop';
  const first = await lookUp({ answer: silent, items: [{ row: 0 }], executionId });
  const second = await lookUp({ answer: silent, items: [{ row: 1 }], executionId });
  expect([first.sent, second.sent, second.tookMs]).toEqual([1, 0, 0]);
  const other = await lookUp({ answer: found, items: [{ row: 2 }] });
  expect(other.sent).toBe(1);
});

test('items succeed again once the server is back', async () => {
  let isDown = true;
  const answer = () => (isDown ? failing(networkFailure('ECONNREFUSED'))() : found());
  const executionId = 'back';
  await lookUp({ answer, items: ITEMS.slice(0, 3), executionId });
  isDown = false;
  const { json } = await lookUp({ answer, executionId });
  expect(json.filter(({ postcode }) => postcode === 'SW1A 1AA')).toHaveLength(300);
});

test('one slow request is not an outage if the server answers others', async () => {
  let sent = 0;
  const answer = () => {
    sent += 1;
    if (sent === 1) return silent();
    return new Promise((resolve) => {
      setTimeout(() => resolve(found()), 1_000);
    });
  };
  const { json } = await lookUp({ answer });
  expect(json.filter(({ error }) => error !== undefined).map(({ row }) => row)).toEqual([0]);
});

test("after the server's own 503 for an operation, only that operation is no longer sent", async () => {
  const overloaded = httpFailure(503, { error: 'No network.' }, { 'x-signpost-error': 'overloaded' });
  const slowly503 = () =>
    new Promise((_resolve, reject) => {
      setTimeout(() => reject(overloaded), 60_000);
    });
  const one = { items: ITEMS.slice(0, 1), executionId: 'overloaded' };
  await lookUp({ ...one, answer: slowly503 });
  const same = await lookUp({ ...one, answer: found });
  const other = await lookUp({ ...one, answer: found, operation: contractOperation('validatePostcode') });
  expect([same.sent, other.sent]).toEqual([0, 1]);
});

test("a request is not repeated after the server's own 504, which is not an outage", async () => {
  const headers = { 'x-signpost-error': 'timeout' };
  const { sent, tookMs } = await lookUp({
    answer: failing(httpFailure(504, { error: 'Slow.' }, headers)),
    items: ITEMS.slice(0, 20),
  });
  expect([sent, tookMs]).toEqual([20, 0]);
});

test.each([
  [networkFailure('ETIMEDOUT'), 'did not answer in time', 'firewall'],
  [networkFailure('ENOTFOUND'), 'its name is not known', 'Base URL'],
  [networkFailure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'is not trusted', 'Ignore SSL Issues (Insecure)'],
  [networkFailure('CERT_HAS_EXPIRED'), 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
  [networkFailure('EPROTO'), 'does not speak https', 'http://'],
  [
    new Error('The request was blocked because it resolves to a restricted IP address'),
    "n8n's SSRF protection",
    'N8N_SSRF_ALLOWED_IP_RANGES',
  ],
])('the error says what prevented the response, and what to do: %s', async (error, message, advice) => {
  const { json } = await lookUp({ answer: failing(error), items: ITEMS.slice(0, 1) });
  expect(json[0]?.error).toContain(message);
  expect(json[0]?.details).toMatchObject({ description: expect.stringContaining(advice) });
});

test('Ignore SSL Issues makes n8n skip the check of the certificate', async () => {
  const { context, requests } = fakeExecution({
    parameters: { postcode: 'SW1A 1AA' },
    credentials: { baseUrl: 'https://signpost.test', allowUnauthorizedCerts: true },
    answer: found,
  });
  await runOperation(context, new ServiceClient(context, signpostService), lookupPostcode);
  expect(requests[0]?.skipSslCertificateValidation).toBe(true);
});
