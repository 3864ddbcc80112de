import { SITE_ADDRESS, startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { startNameServer, type NameServer } from '../fixtures/name-server.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { fareInWords, startBystanders } from './support/bystanders.js';
import { recordFault } from './support/fault-table.js';
import {
  NAME_SERVER_ADDRESS,
  NAME_SERVER_PORT,
  type OwnNames,
  prepareOwnNames,
} from './support/own-names.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const NAMES = 500;
const ATTACK_MS = 8_000;
/** The longest that a small page may take to capture during the attack. Without the attack, it takes about 100 ms. */
const MAX_NEIGHBOUR_MS = 5_000;

/** The server has its own hosts file, which contains the neighbour's page, and its own name server. */
const names = await prepareOwnNames(
  `127.0.0.1 localhost\n${SITE_ADDRESS} other.test Before.test during.test # pages\n${SITE_ADDRESS} after.test\n`,
);

let site: PageServer;
let nameServer: NameServer;
let server: SignpostServer;

const withOwnNames = typeof names === 'string' ? test.skip : test;
if (typeof names === 'string') console.log(`Skipped the test of silent name servers: ${names}.`);

async function start({ launcher }: OwnNames) {
  const images = Array.from({ length: NAMES }, (_, index) => `<img src="http://n${index}.attack.test/">`);
  site = await startPageServer({ '/attack': images.join(''), '/page': '<title>Neighbour</title>' });
  const known = new Set<string>();
  nameServer = await startNameServer(
    (name, family) => {
      const question = `${name} ${family}`;
      const isFirst = !known.has(question);
      known.add(question);
      return isFirst ? 'NXDOMAIN' : 'silent';
    },
    { host: NAME_SERVER_ADDRESS, port: NAME_SERVER_PORT },
  );
  const settings = {
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: SITE_ADDRESS,
    SIGNPOST_CAPTURE_CONCURRENCY: '2',
  };
  server = await startSignpost(settings, undefined, launcher);
}

withOwnNames(
  'a page with 500 names that a name server first denies and then ignores does not hold up others',
  async () => {
    if (typeof names === 'string') return;
    await start(names);
    const capture = async (url: string, more = {}) => {
      const startedMs = performance.now();
      const { status } = await server.post('/api/screenshot', { url, width: 200, height: 100, ...more });
      return { status, elapsedMs: performance.now() - startedMs };
    };
    // A different name each time, so that nothing is cached.
    const neighbour = (name: string) => capture(`http://${name}.test:${site.port}/page`);
    const before = await neighbour('before');
    const bystanders = startBystanders(server.url, server.apiKey);
    const attack = capture(site.url('/attack'), { timeoutMs: ATTACK_MS, waitUntil: 'networkIdle' });
    await waitUntil('the page asks for names', () => nameServer.questions.length > 20);
    const during = await neighbour('during');
    const { elapsedMs } = await attack;
    const after = await neighbour('after');
    const fared = await bystanders.stop();
    const asked = new Set(nameServer.questions).size;
    await recordFault({
      fault: `A capture with ${NAMES} names of a name server that says NXDOMAIN once and is silent then`,
      expected:
        'Other captures and lookups as without it; the capture ends in its time and asks for at most 300 names',
      figure: `captures before, during and after ${[before, during, after].map(({ elapsedMs: ms }) => Math.round(ms)).join(', ')} ms; the attack ${Math.round(elapsedMs)} ms and ${asked} names; ${fareInWords(fared)}`,
    });

    expect([before, during, after].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(Math.max(during.elapsedMs, after.elapsedMs)).toBeLessThan(MAX_NEIGHBOUR_MS);
    expect(asked).toBeLessThanOrEqual(300);
    expect(fared.failures).toEqual([]);
  },
);

afterAll(async () => {
  if (typeof names === 'string') return;
  await server.remove();
  await Promise.all([site.close(), nameServer.close(), names.remove()]);
});
