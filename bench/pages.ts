import { readFile } from 'node:fs/promises';
import { OAUTH_PATHS } from '@signpost/contract';
import { PAGES } from '@signpost/server/page-list';
import { send } from './attacks/send.js';
import { round, type Row } from './figures.js';
import { startSignpost } from './signpost-process.js';

const REQUESTS = 50;
const WARM_UPS = 3;
const NS_PER_MS = 1e6;

/** Processor time of the main thread of a process, in ms; NaN if it cannot be read. */
async function mainThreadMs(pid: number): Promise<number> {
  const [ns = 'NaN'] = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').then(
    (text) => text.split(' '),
    () => [],
  );
  return Number(ns) / NS_PER_MS;
}

/**
 * Paths that need no key, token or session: those of all public pages, with examples for their parameters, and others.
 */
const PUBLIC_PATHS = [
  ...PAGES.filter(({ access }) => access === 'everybody').map(({ path }) =>
    path.replaceAll(':operation', 'captureScreenshot').replaceAll(/:\w+/gu, 'none'),
  ),
  '/reference?q=postcode',
  '/docs/reference/api',
  '/docs?q=backup',
  '/apilogin?returnUrl=https%3A%2F%2Fnone.example%2F',
  '/openapi.json',
  '/.well-known/jwks.json',
  OAUTH_PATHS.protectedResource,
  OAUTH_PATHS.authorizationServer,
  '/files/none',
  '/healthz',
  '/readyz',
  '/metrics',
  '/nothing-here',
];

/** How long a request to each of PUBLIC_PATHS occupies the main thread, which answers all requests. */
export async function benchPages(): Promise<Row[]> {
  const signpost = await startSignpost({ variables: { SIGNPOST_TRUST_PROXY: '127.0.0.1/32' } });
  const rows: Row[] = [];
  for (const path of PUBLIC_PATHS) {
    const read = (nth: number) =>
      send(signpost.url, {
        path,
        // The requests come from many addresses, so that none exceeds the limit per address.
        from: `10.0.0.${nth}`,
        headers: { 'Accept-Encoding': 'br', Accept: 'text/html' },
      });
    const firstBeganMs = await mainThreadMs(signpost.pid);
    const { status } = await read(0);
    const first = (await mainThreadMs(signpost.pid)) - firstBeganMs;
    for (let nth = 1; nth < WARM_UPS; nth += 1) await read(nth);
    const beganMs = await mainThreadMs(signpost.pid);
    for (let nth = 1; nth <= REQUESTS; nth += 1) await read(nth);
    const spentMs = (await mainThreadMs(signpost.pid)) - beganMs;
    rows.push({
      path,
      status,
      'first request, main thread ms': round(first, 1),
      'main thread ms each': round(spentMs / REQUESTS, 2),
    });
  }
  await signpost.end();
  return rows;
}
