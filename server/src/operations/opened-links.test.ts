import { operations } from '@signpost/contract';
import { openTestTokens, START_MS, type TestTokens } from '../../../test/fixtures/tokens/test-tokens.js';
import { createLink } from '../links/create-link.js';
import { findLink } from '../links/find-link.js';
import { chunkRows, linkRows } from '../links/link.js';
import { storeCapture } from '../links/link-captures.js';
import { ServiceError } from '../platform/errors.js';
import { createThrottle } from '../throttle/throttle.js';
import { createLinkSealer } from '../tokens/encryption-key.js';
import type { PerformOptions } from './metered-call.js';
import { OpenedLinks } from './opened-links.js';

const MEBIBYTE = 1_048_576;
const REFRESH_MS = 60_000;
const notNeeded = () => Promise.reject(new Error('Not in this test.'));

let bench: TestTokens;
let context: ReturnType<typeof contextOf>;
let links: OpenedLinks;
let captures: number;
let size: number;
let failure: Error | undefined;
let isCounted: boolean;
let logged: unknown[];

const contextOf = ({ domain, maker }: TestTokens) => ({
  ...domain,
  linkSealer: createLinkSealer({ ...maker, clock: domain.clock }),
});

beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  context = contextOf(bench);
  captures = 0;
  size = 4;
  failure = undefined;
  isCounted = true;
  logged = [];
  await bench.db('projects').insert({ id: 'prj_1', account_id: 'acc_ada', name: 'p', created_at: 0 });
  const key = { id: 1, project_id: 'prj_1', hash: 'hash', prefix: 'sp_live_1', created_at: 0 };
  await bench.db('api_keys').insert(key);
  links = new OpenedLinks({
    ...context,
    queries: bench.maker.queries,
    sharesDatabase: false,
    captureTimeoutMs: 30_000,
    monotonicMs: () => 0,
    pause: notNeeded,
    log: { error: (...line) => logged.push(line) },
    calls: { perform: (_key, _operation, _request, options) => capture(options) },
    operations: {
      captureScreenshot: { operation: operations.captureScreenshot, run: notNeeded },
      capturePdf: { operation: operations.capturePdf, run: notNeeded },
    },
  });
});
afterEach(() => bench.close());

function capture({ onCounted }: PerformOptions) {
  captures += 1;
  if (isCounted) onCounted?.();
  if (failure !== undefined) return Promise.reject(failure);
  return Promise.resolve({ body: Buffer.alloc(size, String(captures)), mediaType: 'image/png' });
}

const make = async (refreshMs = REFRESH_MS) => {
  const { token } = await createLink(context, {
    keyId: 1,
    operation: 'captureScreenshot',
    request: { url: 'https://page.example/' },
    refreshSeconds: refreshMs / 1_000,
    expiresInSeconds: 86_400,
  });
  return token;
};
const found = async (token: string) => {
  const link = await findLink(bench.maker.queries, token, context.clock());
  if (link === undefined) throw new Error('There is no such link.');
  return link;
};
const open = (token: string, isNeeded = true) =>
  links.open(token, { requestId: 'req', needsBody: () => isNeeded });
async function read(token: string): Promise<Buffer> {
  const parts = [];
  const { body = [] } = await open(token);
  if (Buffer.isBuffer(body)) return body;
  for await (const chunk of body) parts.push(chunk);
  return Buffer.concat(parts);
}

test('returns a large capture completely; concurrent readers cause one read per chunk', async () => {
  size = 2 * MEBIBYTE + 5;
  const token = await make();
  const chunkReads: string[] = [];
  bench.db.on('query', ({ sql }: { sql: string }) => {
    if (/^select .?body/u.test(sql)) chunkReads.push(sql);
  });
  const bodies = await Promise.all(Array.from({ length: 20 }, () => read(token)));
  const whole = Buffer.alloc(size, '1');
  expect(bodies.every((body) => body.equals(whole))).toBe(true);
  expect([captures, chunkReads.length]).toEqual([1, 3]);
});

test('for a client that already has the capture, reads no chunk of it, and reports its length', async () => {
  const token = await make();
  await open(token, false);
  await chunkRows(bench.db).delete();
  expect(await open(token, false)).toMatchObject({ bytes: 4, body: undefined });
});

test('captures again if a chunk of the capture is missing', async () => {
  size = 2 * MEBIBYTE;
  const token = await make();
  await open(token, false);
  await chunkRows(bench.db).where({ number: 1 }).delete();
  expect((await read(token)).equals(Buffer.alloc(size, '2'))).toBe(true);
});

test('opening a link whose capture was deleted to make room makes a new one, but not within a minute of the deleted one', async () => {
  const [token, other] = [await make(60 * REFRESH_MS), await make()];
  await read(token);
  await linkRows(bench.db)
    .where({ id: (await found(token)).id })
    .update({ bytes: 200_000_000 });
  await storeCapture(context, await found(other), { body: Buffer.from('other'), mediaType: 'image/png' });
  await expect(read(token)).rejects.toMatchObject({ kind: 'overloaded', retryAfterSeconds: 60 });
  expect(captures).toBe(1);
  bench.setClock(START_MS + 60_000);
  expect((await read(token)).toString()).toBe('2222');
  expect((await read(token)).toString()).toBe('2222');
});

test.each([
  [true, 60_000],
  [false, 30_000],
])('after a failed capture (call counted: %s), makes no other for %i ms', async (counted, waitMs) => {
  failure = new ServiceError('overloaded', 'The machine has no network.', { retryAfterSeconds: 30 });
  isCounted = counted;
  const token = await make();
  for (const passedMs of [0, waitMs - 1]) {
    bench.setClock(START_MS + passedMs);
    await expect(open(token)).rejects.toMatchObject({ kind: 'overloaded' });
  }
  expect(captures).toBe(1);
  bench.setClock(START_MS + waitMs);
  await expect(open(token)).rejects.toMatchObject({ kind: 'overloaded' });
  expect(captures).toBe(2);
});

test('logs a fault of the server that made a capture fail, but nothing about failing pages', async () => {
  failure = new ServiceError('notCaptured', 'The page does not answer.');
  await expect(open(await make())).rejects.toMatchObject({ kind: 'notCaptured' });
  expect(logged).toEqual([]);
  failure = new Error('A fault.');
  await expect(open(await make())).rejects.toMatchObject({ kind: 'notCaptured' });
  expect(logged).toEqual([
    [expect.objectContaining({ requestId: 'req', err: failure }), 'A capture for a link failed.'],
  ]);
});
