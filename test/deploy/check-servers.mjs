import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { startCaller } from './caller.mjs';
import { readCompose } from './compose-file.mjs';
import { composeProject } from './compose-project.mjs';
import { foreignImages } from './foreign-images.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

const FREE_TIER_PER_MINUTE = 5;
const AT_ONCE = 4;
const PNG = '89504e470d0a1a0a';

/** What compose.yaml starts does together: PostgreSQL, two servers, and the balancer before them. */
export async function checkServers({ root, folder, toolsRoot, runtime, plug, image, variables }) {
  const file = join(root, 'compose.yaml');
  const compose = await readCompose(file, variables, toolsRoot);
  const own = { rootfs: image.image, settings: image.settings };
  const images = { 'signpost-1': own, 'signpost-2': own, ...foreignImages(toolsRoot) };
  const project = composeProject({ compose, file, folder: join(folder, 'servers'), runtime, plug, images });
  const caller = startCaller(await plug({ front: '172.30.57.100' }));
  const address = (name) => project.addressesOf(name).front;
  const url = (name) => `http://${address(name)}:3000`;
  const balancer = `http://${address('balancer')}:8080`;
  const lookup = (at, key) => caller.post(`${at}/api/postcode/lookup`, key, { postcode: 'SW1A 1AA' });
  const isReady = async (at) => (await caller.call(`${at}/readyz`)).status === 200;
  const running = {};
  const start = async (name) => {
    running[name] = await project.start(name);
    await running[name].healthy();
  };

  await step('servers: PostgreSQL starts as compose.yaml says', () => start('postgres'));
  await step(
    'servers: two start at once on an empty database, and one alone makes the first account',
    async () => {
      await Promise.all([start('signpost-1'), start('signpost-2')]);
      const shown = () =>
        ['signpost-1', 'signpost-2'].filter((name) => /sp_live_\w+/u.test(running[name].output()));
      // A server listens before it has said so, and shown its first key.
      await until('the first key is shown', () => shown().length > 0);
      assert.equal(shown().length, 1);
    },
  );
  const shownBy = running['signpost-1'].output() + running['signpost-2'].output();
  const [key] = /sp_live_\w+/u.exec(shownBy);
  await check('servers: the balancer starts, and takes requests to both', async () => {
    await start('balancer');
    await until(
      'both are ready',
      async () => (await isReady(url('signpost-1'))) && isReady(url('signpost-2')),
    );
    await until('the balancer finds one', () => isReady(balancer));
  });
  await check('servers: a key has its limit once, whichever server is asked', async () => {
    const asked = Array.from({ length: 3 * FREE_TIER_PER_MINUTE }, (_, index) =>
      lookup(url(index % 2 === 0 ? 'signpost-1' : 'signpost-2'), key),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const granted = statuses.filter((status) => status === 200).length;
    // A minute may have ended meanwhile, and given five more.
    assert.ok([FREE_TIER_PER_MINUTE, 2 * FREE_TIER_PER_MINUTE].includes(granted), `${granted} were granted`);
    assert.equal(statuses.filter((status) => status !== 200 && status !== 429).length, 0);
  });
  await check('servers: a command in one container counts for both', async () => {
    await running['signpost-1'].exec(
      ...[
        'signpost',
        'key',
        'limit',
        key.slice(0, 16),
        '--per-minute',
        'unlimited',
        '--per-day',
        'unlimited',
      ],
    );
    for (const at of [url('signpost-1'), url('signpost-2'), balancer])
      assert.equal((await lookup(at, key)).status, 200);
  });
  await check('servers: a picture is taken through the balancer', async () => {
    const { status, body } = await caller.post(`${balancer}/api/screenshot`, key, {
      url: 'http://127.0.0.1:3000/',
    });
    assert.equal(status, 200, String(body));
    assert.equal(body.subarray(0, 8).toString('hex'), PNG);
  });
  await check(
    'balancer: metrics are not for its callers, and for who has the token at each server',
    async () => {
      const headers = { Authorization: `Bearer ${variables.SIGNPOST_METRICS_TOKEN}` };
      for (const path of ['/metrics', '//metrics', '/%6detrics', '/Metrics/'])
        assert.equal((await caller.call(balancer + path, { headers })).status, 404, path);
      for (const name of ['signpost-1', 'signpost-2']) {
        assert.equal((await caller.call(`${url(name)}/metrics`)).status, 401);
        assert.equal((await caller.call(`${url(name)}/metrics`, { headers })).status, 200);
      }
    },
  );
  await check('balancer: a body of more than 64 KiB is refused with 413', async () => {
    const { status, body } = await caller.post(`${balancer}/api/postcode/lookup`, key, {
      postcode: 'x'.repeat(70_000),
    });
    assert.equal(status, 413);
    assert.ok(JSON.parse(body).error);
  });
  await check('balancer: no lookup fails while one server is stopped and started again', async () => {
    const problems = [];
    let count = 0;
    let isOver = false;
    const callers = Array.from({ length: AT_ONCE }, async () => {
      while (!isOver) {
        const { status, body } = await lookup(balancer, key);
        count += 1;
        if (status !== 200) problems.push(`${status} ${body}`);
      }
    });
    assert.equal(await running['signpost-2'].stop('TERM'), 0);
    await start('signpost-2');
    await until('it is ready again', () => isReady(url('signpost-2')));
    isOver = true;
    await Promise.all(callers);
    assert.deepEqual(problems.slice(0, 3), [], `${problems.length} of ${count} failed`);
    assert.ok(count > 0);
  });
  await check(
    'balancer: a server that is killed costs the others nothing once its health was looked at',
    async () => {
      await running['signpost-1'].stop('KILL');
      await until('five lookups in a row', async () => {
        const answers = await Promise.all(Array.from({ length: 5 }, () => lookup(balancer, key)));
        return answers.every(({ status }) => status === 200);
      });
      await start('signpost-1');
    },
  );
  await check('servers: a backup is written and put back while they run', async () => {
    const { exec } = running['signpost-1'];
    await exec('signpost', 'backup', '/data/nightly.backup', '--force');
    await exec('signpost', 'key', 'revoke', key.slice(0, 16));
    assert.equal((await lookup(url('signpost-2'), key)).status, 401);
    await exec('signpost', 'restore', '/data/nightly.backup', '--force');
    for (const name of ['signpost-1', 'signpost-2'])
      assert.equal((await lookup(url(name), key)).status, 200, name);
  });
  await check('servers: each believes the balancer alone about who calls', async () => {
    const logs = running['signpost-1'].output() + running['signpost-2'].output();
    assert.doesNotMatch(logs, /SIGNPOST_TRUST_PROXY|"level":"error"/u);
  });
  await check('servers: all end well at the signals that Compose sends', async () => {
    assert.equal(await running.balancer.stop('USR1'), 0);
    assert.equal(await running['signpost-1'].stop('TERM'), 0);
    assert.equal(await running['signpost-2'].stop('TERM'), 0);
    assert.equal(await running.postgres.stop('INT'), 0);
  });
}
