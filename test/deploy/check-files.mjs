import { strict as assert } from 'node:assert';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { runInRoot } from './chroot.mjs';
import { readCompose, readEnvironment } from './compose-file.mjs';
import { readDashboard } from './documents.mjs';
import { runCommand } from './run-command.mjs';

/** The most that `systemd-analyze security` may say of the unit; 10 is everything exposed. */
const MAX_EXPOSURE = 2.5;

/** What the operator makes with one command; answers the variables of the .env file. */
export async function makeEnvironment({ root, folder }) {
  const checkout = join(folder, 'checkout');
  const file = join(checkout, '.env');
  const script = join(checkout, 'deploy/make-env.sh');
  const make = (...words) => runCommand('sh', [script, ...words]);
  await check('make-env.sh: makes .env for its owner alone, with secrets of 64 characters', async () => {
    mkdirSync(checkout);
    cpSync(join(root, 'deploy'), join(checkout, 'deploy'), { recursive: true });
    await make('http://172.30.57.10:8080');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { SIGNPOST_PUBLIC_URL, ...secrets } = readEnvironment(readFileSync(file, 'utf8'));
    assert.equal(SIGNPOST_PUBLIC_URL, 'http://172.30.57.10:8080');
    for (const secret of Object.values(secrets)) assert.match(secret, /^[0-9a-f]{64}$/u);
    assert.equal(new Set(Object.values(secrets)).size, Object.keys(secrets).length);
  });
  await check('make-env.sh: leaves a .env that is there alone', async () => {
    const before = readFileSync(file, 'utf8');
    await assert.rejects(make());
    assert.equal(readFileSync(file, 'utf8'), before);
  });
  return readEnvironment(readFileSync(file, 'utf8'));
}

/** What the files of deploy/ say, by the programs that read them. */
export async function checkFiles({ root, toolsRoot, variables, documents }) {
  const copy = join(toolsRoot, 'deploy');
  cpSync(join(root, 'deploy'), copy, { recursive: true });
  writeFileSync(join(copy, 'metrics-token'), 'token');
  const inTools = (...words) => runInRoot(toolsRoot, words);

  await check(
    'compose.yaml: every variable has a value from make-env.sh or a default; every file is there',
    async () => {
      const { services } = await readCompose(join(root, 'compose.yaml'), variables, toolsRoot);
      const files = Object.values(services).flatMap(({ volumes = [], security_opt: options = [] }) => [
        ...volumes.map((volume) => volume.split(':')[0]).filter((source) => source.startsWith('.')),
        ...options.filter((option) => option.startsWith('seccomp:')).map((option) => option.split(':')[1]),
      ]);
      assert.ok(files.length > 0);
      for (const file of files) assert.ok(existsSync(join(root, file)), `${file} is not there`);
    },
  );
  await check(
    'compose.yaml: the balancer knows each server by its address, and they trust its address alone',
    async () => {
      const { services } = await readCompose(join(root, 'compose.yaml'), variables, toolsRoot);
      const servers = Object.entries(services).filter(([, { environment }]) => environment?.SIGNPOST_SECRET);
      const balancer = services.balancer.networks.front.ipv4_address;
      const known = [
        ...readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8').matchAll(/^\s+server (\S+) (\S+):3000/gmu),
      ];
      assert.deepEqual(
        known.map(([, name, address]) => [name, address]),
        servers.map(([name, { networks }]) => [name, networks.front.ipv4_address]),
      );
      for (const [, { environment }] of servers) assert.equal(environment.SIGNPOST_TRUST_PROXY, balancer);
      const scraped = readFileSync(join(root, 'deploy/prometheus.yaml'), 'utf8').match(
        /\d+\.\d+\.\d+\.\d+(?=:3000)/gu,
      );
      assert.deepEqual(
        scraped,
        known.map(([, , address]) => address),
      );
    },
  );
  await check('haproxy.cfg: HAProxy takes it', () => inTools('haproxy', '-c', '-f', '/deploy/haproxy.cfg'));
  await check('Caddyfile: Caddy takes it', () =>
    inTools('caddy', 'validate', '--config', '/deploy/Caddyfile', '--adapter', 'caddyfile'),
  );
  await check('prometheus.yaml and its alerts: Prometheus takes them', () =>
    inTools('promtool', 'check', 'config', '/deploy/prometheus.yaml'),
  );
  await check(
    'alerts: each trouble that the tests make has its alert, and a server in order has none',
    async () => {
      const name = 'test/deploy/prometheus-alerts.test.yaml';
      cpSync(join(root, name), join(toolsRoot, name));
      await inTools('promtool', 'test', 'rules', `/${name}`);
    },
  );
  await check('grafana-dashboard.json: Prometheus takes each of its questions', async () => {
    const rules = readDashboard(root).map((expr, place) => ({ record: `question_${place}`, expr }));
    assert.ok(rules.length > 20);
    writeFileSync(join(copy, 'dashboard-rules.yaml'), JSON.stringify({ groups: [{ name: 'all', rules }] }));
    await inTools('promtool', 'check', 'rules', '/deploy/dashboard-rules.yaml');
  });
  await check('alerts: docs/reference/metrics.md has each of them', async () => documents.compareAlerts());
  await check(
    'signpost.service and the units of the backup: systemd takes them, without a warning',
    async () => {
      // The program that the unit names, which need not be in this root.
      writeFileSync(join(toolsRoot, 'usr/bin/node'), '', { mode: 0o755 });
      mkdirSync(join(toolsRoot, 'opt/signpost/docs'), { recursive: true });
      writeFileSync(join(toolsRoot, 'opt/signpost/docs/README.md'), '');
      writeFileSync(join(toolsRoot, 'usr/local/bin/signpost'), '', { mode: 0o755 });
      const units = [
        'signpost.service',
        'signpost-backup.service',
        'signpost-backup.timer',
        'signpost-failed@signpost-backup.service.service',
      ];
      await inTools(
        'systemd-analyze',
        'verify',
        '--recursive-errors=yes',
        ...units.map((name) => `/deploy/${name}`),
      );
    },
  );
  await check(`signpost.service: its exposure is at most ${MAX_EXPOSURE} of 10`, async () => {
    const words = [
      '--offline=true',
      `--threshold=${MAX_EXPOSURE * 10}`,
      '--no-pager',
      '/deploy/signpost.service',
    ];
    await inTools('systemd-analyze', 'security', ...words);
  });
}
