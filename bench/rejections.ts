import { Agent, request } from 'node:http';
import { LIMITS } from '@signpost/contract';
import { keysOf } from './bench-keys.js';
import { cpuTimeMs } from './cpu-time.js';
import { round, type Row } from './figures.js';
import { startRejectionFloor } from './floor.js';
import { hostileRequests, type HostileRequest } from './hostile-requests.js';
import { showProgress } from './progress.js';
import { startSignpost, type SignpostProcess } from './signpost-process.js';

/** More than the measured routes accept, except those for captures. */
const LARGE_BYTES = 1_000_000;
/**
 * How many MCP requests with one key are measured at most. With up to 10 before them as a warm-up, they are few enough
 * that the server does not throttle them.
 */
const MAX_PER_KEY = 50;
const MAX_REQUESTS = 200;
const MAX_MS = 1_000;
const WARM_UP = 10;

interface Answer {
  readonly status: number;
  readonly bytes: number;
}

interface Target {
  readonly url: string;
  readonly pid: number;
}

/**
 * Counts the requests. Each claims to come from a different address, because otherwise it would be throttled: the
 * server trusts the X-Forwarded-For header of the benchmark.
 */
let addressCount = 0;
function nextAddress(): string {
  addressCount += 1;
  return `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
}

const send = (url: string, headers: Record<string, string>, body: string, agent: Agent) =>
  new Promise<Answer>((resolve) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.once('close', () => resolve({ status: response.statusCode ?? 0, bytes }));
    });
    // Usually, the server closed the connection before everything was sent.
    outgoing.once('error', () => resolve({ status: 0, bytes: 0 }));
    outgoing.end(body);
  });

/**
 * Sends a request again and again. Returns the mean processor time of the server in ms, the last status, and the size
 * of the largest response.
 */
async function costOf({ url, pid }: Target, hostile: HostileRequest, key: string | undefined, most: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () =>
    send(
      url + hostile.path,
      {
        'Content-Type': hostile.mediaType,
        'Content-Length': String(Buffer.byteLength(hostile.body)),
        Accept: 'application/json, text/event-stream',
        'X-Forwarded-For': nextAddress(),
        ...(key === undefined ? {} : { 'X-Api-Key': key }),
      },
      hostile.body,
      agent,
    );
  let answer = await once();
  for (let times = 1; times < Math.min(WARM_UP, most / 5); times += 1) await once();
  const [before, began] = [await cpuTimeMs([pid]), performance.now()];
  let count = 0;
  let bytes = answer.bytes;
  while (count < most && performance.now() - began < MAX_MS) {
    answer = await once();
    bytes = Math.max(bytes, answer.bytes);
    count += 1;
  }
  const after = await cpuTimeMs([pid]);
  agent.destroy();
  return { status: answer.status, bytes, cpuMs: ((after ?? Number.NaN) - (before ?? Number.NaN)) / count };
}

async function keysFor(signpost: SignpostProcess, hostile: readonly HostileRequest[]) {
  const own = hostile.filter(({ key }) => key === 'own');
  const keys = await keysOf(signpost, own.length + 1);
  return (one: HostileRequest) =>
    one.key === 'none' ? undefined : one.key === 'common' ? keys[0] : keys[own.indexOf(one) + 1];
}

/**
 * The cost of hostile requests with bodies of up to LIMITS.bodyBytes, and, for each path and kind of key, of one with
 * LARGE_BYTES: one is enough, because most routes reject it by its size, whatever is in it. The cost is compared with
 * that of a bare server that reads and parses the same body and responds with two bytes.
 */
export async function benchRejections(): Promise<Row[]> {
  const signpost = await startSignpost({ variables: { SIGNPOST_TRUST_PROXY: '127.0.0.1/32' } });
  const floor = await startRejectionFloor();
  const large = new Map(hostileRequests(LARGE_BYTES).map((one) => [one.path + one.key, one]));
  const hostile = [...hostileRequests(LIMITS.bodyBytes.max), ...large.values()];
  const keyOf = await keysFor(signpost, hostile);
  const rows: Row[] = [];
  for (const one of hostile) {
    showProgress(`refusals: ${one.path}, ${one.content}, ${one.body.length} bytes`);
    const most = one.key === 'own' ? MAX_PER_KEY : MAX_REQUESTS;
    const ours = await costOf(signpost, one, keyOf(one), most);
    const bare = await costOf(floor, one, undefined, most);
    rows.push({
      path: one.path,
      'full of': one.content,
      bytes: one.body.length,
      status: ours.status,
      'answer bytes': ours.bytes,
      'CPU ms each': round(ours.cpuMs, 2),
      'bare ms each': round(bare.cpuMs, 2),
    });
  }
  floor.end();
  await signpost.end();
  return rows;
}
