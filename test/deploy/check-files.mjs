import { strict as assert } from 'node:assert';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { checkKubernetes } from './check-kubernetes.mjs';
import { checkProxies } from './check-proxies.mjs';
import { readDashboard } from './documents.mjs';
import { runCommand } from './run-command.mjs';

/** The highest exposure that `systemd-analyze security` may report for the unit. 10 means fully exposed. */
const MAX_EXPOSURE = 2.5;

const readEnvironment = (text) =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name, value]) => [name, value]));

/** Checks make-env.sh in a copy of deploy/. Returns the path of the .env file that it made. */
export async function makeEnvironment({ root, folder }) {
  const checkout = join(folder, 'checkout');
  const file = join(checkout, '.env');
  const make = (...words) => runCommand('sh', [join(checkout, 'deploy/make-env.sh'), ...words]);
  mkdirSync(checkout);
  cpSync(join(root, 'deploy'), join(checkout, 'deploy'), { recursive: true });
  await check(
    'make-env.sh: makes .env readable only by its owner, with secrets of 64 characters',
    async () => {
      await make('http://172.30.57.10:8080');
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const { SIGNPOST_PUBLIC_URL, ...secrets } = readEnvironment(readFileSync(file, 'utf8'));
      assert.equal(SIGNPOST_PUBLIC_URL, 'http://172.30.57.10:8080');
      for (const secret of Object.values(secrets)) assert.match(secret, /^[0-9a-f]{64}$/u);
      assert.equal(new Set(Object.values(secrets)).size, Object.keys(secrets).length);
    },
  );
  await check('make-env.sh: does not change an existing .env', async () => {
    const before = readFileSync(file, 'utf8');
    await assert.rejects(make());
    assert.equal(readFileSync(file, 'utf8'), before);
  });
  return file;
}

/** Checks the files of deploy/ with the programs that read them, which are in the image `tools`. */
export async function checkFiles({ root, folder, engine, tools, environmentFile }) {
  const checkout = join(folder, 'checkout');
  cpSync(join(root, 'compose.yaml'), join(checkout, 'compose.yaml'));
  writeFileSync(join(checkout, 'deploy/metrics-token'), 'token');
  const mount = `--volume=${checkout}:/checkout:ro`;
  const run = (...words) => engine.runOnce(mount, '--workdir=/checkout', tools, ...words);
  /** The services of a Compose file, as Compose understands them. */
  const readCompose = async (file, variables = []) => {
    const words = ['docker-compose', '--project-directory', '.', '-f', file, 'config', '--format', 'json'];
    return JSON.parse(await run('env', ...variables, ...words)).services;
  };

  await checkCompose({ root, environmentFile, readCompose });
  await check('haproxy.cfg: HAProxy accepts it', () => run('haproxy', '-c', '-f', 'deploy/haproxy.cfg'));
  await check('Caddyfile: Caddy accepts it', () =>
    run('caddy', 'validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'),
  );
  await checkProxies({ root, checkout, run });
  await checkKubernetes({
    root,
    read: async () => JSON.parse(await run('yq', '--slurp', '.', 'deploy/kubernetes.yaml')),
  });
  await check('prometheus.yaml and its alerts: Prometheus accepts them', () =>
    run('promtool', 'check', 'config', 'deploy/prometheus.yaml'),
  );
  await check(
    'alerts: each fault of the tests raises its alert, and a healthy server raises none',
    async () => {
      mkdirSync(join(checkout, 'test/deploy'), { recursive: true });
      const name = 'test/deploy/prometheus-alerts.test.yaml';
      cpSync(join(root, name), join(checkout, name));
      await run('promtool', 'test', 'rules', name);
    },
  );
  await check('grafana-dashboard.json: Prometheus accepts each of its queries', async () => {
    const rules = readDashboard(root).map((expr, index) => ({ record: `query_${index}`, expr }));
    assert.ok(rules.length > 20);
    const groups = JSON.stringify({ groups: [{ name: 'all', rules }] });
    writeFileSync(join(checkout, 'dashboard-rules.yaml'), groups);
    await run('promtool', 'check', 'rules', 'dashboard-rules.yaml');
  });
  await check('signpost.service and the units of the backup: systemd accepts them without a warning', () =>
    run(
      'systemd-analyze',
      'verify',
      '--recursive-errors=yes',
      ...['signpost.service', 'signpost-backup.service', 'signpost-backup.timer'].map(
        (name) => `deploy/${name}`,
      ),
      'deploy/signpost-failed@signpost-backup.service.service',
    ),
  );
  await check(`signpost.service: its exposure is at most ${MAX_EXPOSURE} of 10`, () =>
    run(
      ...['systemd-analyze', 'security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`, '--no-pager'],
      'deploy/signpost.service',
    ),
  );
}

async function checkCompose({ root, environmentFile, readCompose }) {
  const variables = readFileSync(environmentFile, 'utf8').trim().split('\n');
  await check('compose.yaml: refuses to start without the variables of make-env.sh', async () => {
    await assert.rejects(readCompose('compose.yaml', ['--chdir=/', 'COMPOSE_DISABLE_ENV_FILE=1']));
  });
  await check('Compose files: Compose accepts them, and every file that they mount exists', async () => {
    for (const [file, values] of [
      ['compose.yaml', variables],
      ['deploy/compose.single.yaml', []],
      ['deploy/compose.caddy.yaml', ['SIGNPOST_DOMAIN=signpost.example']],
    ]) {
      const services = Object.values(await readCompose(file, values));
      const mounted = services
        .flatMap(({ volumes = [] }) => volumes)
        .filter(({ type }) => type === 'bind')
        .map(({ source }) => join(root, source.replace('/checkout/', '')));
      const missing = mounted.filter(
        (path) => !existsSync(path) && !existsSync(path.replace(root, `${root}/deploy`)),
      );
      assert.deepEqual(missing, [], file);
      assert.ok(
        services.some(({ read_only: isReadOnly }) => isReadOnly === true),
        file,
      );
    }
  });
  await check(
    'compose.yaml: the balancer knows each server, and the servers trust only the balancer',
    async () => {
      const services = await readCompose('compose.yaml', variables);
      const servers = Object.entries(services).filter(([, { environment }]) => environment?.SIGNPOST_SECRET);
      const addressOf = ({ networks }) => networks.front.ipv4_address;
      const balancer = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
      const known = [...balancer.matchAll(/^\s+server (\S+) (\S+):3000/gmu)].map(([, name, address]) => [
        name,
        address,
      ]);
      assert.deepEqual(
        known,
        servers.map(([name, service]) => [name, addressOf(service)]),
      );
      for (const [, { environment }] of servers)
        assert.equal(environment.SIGNPOST_TRUST_PROXY, addressOf(services.balancer));
      const scraped = readFileSync(join(root, 'deploy/prometheus.yaml'), 'utf8').match(
        /\d+\.\d+\.\d+\.\d+(?=:3000)/gu,
      );
      assert.deepEqual(
        scraped,
        known.map(([, address]) => address),
      );
    },
  );
  await check('compose.caddy.yaml: the server trusts only Caddy, and knows its own name', async () => {
    const services = await readCompose('deploy/compose.caddy.yaml', ['SIGNPOST_DOMAIN=signpost.example']);
    const { environment } = services.signpost;
    assert.equal(environment.SIGNPOST_TRUST_PROXY, services.caddy.networks.front.ipv4_address);
    assert.equal(environment.SIGNPOST_PUBLIC_URL, 'https://signpost.example');
    assert.equal(services.caddy.environment.SIGNPOST_DOMAIN, 'signpost.example');
  });
}
