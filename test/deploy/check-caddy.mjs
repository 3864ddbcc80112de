import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

/** The file in which Caddy keeps the certificate of its own authority. */
const AUTHORITY = '/data/caddy/pki/authorities/local/root.crt';
const FIRST_KEY = /sp_live_\w+/u;

/** Checks the shipped Caddyfile in front of a server, with a certificate for localhost. Both are offline. */
export async function checkCaddy({ root, folder, engine, image, tools }) {
  // The Caddyfile calls the server by its name in compose.caddy.yaml.
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 localhost signpost\n');
  let server;
  let caddy;
  await step('Caddy: it and a server start', async () => {
    server = await engine.start(
      [
        ...['--init', '--env=SIGNPOST_TRUST_PROXY=127.0.0.1'],
        ...['--env=SIGNPOST_PUBLIC_URL=https://localhost', image],
      ],
      'none',
    );
    caddy = await engine.start(
      [
        ...[
          `--volume=${hosts}:/etc/hosts:ro`,
          `--volume=${join(root, 'deploy/Caddyfile')}:/etc/caddy/Caddyfile:ro`,
          '--tmpfs=/data',
          '--tmpfs=/config',
        ],
        ...[
          '--env=XDG_DATA_HOME=/data',
          '--env=XDG_CONFIG_HOME=/config',
          '--env=SIGNPOST_DOMAIN=localhost',
          tools,
        ],
        ...['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
      ],
      `container:${server.name}`,
    );
  });
  const ask = (...words) =>
    caddy.exec('wget', '--quiet', `--ca-certificate=${AUTHORITY}`, '--output-document=-', ...words);
  await check(
    'Caddy: a postcode is looked up over TLS, with a certificate of its own authority',
    async () => {
      const key = await until(
        'the first key is shown',
        async () => FIRST_KEY.exec(await server.output())?.[0],
      );
      const response = await until('the certificate is made', () =>
        ask(
          `--header=X-Api-Key: ${key}`,
          '--header=Content-Type: application/json',
          '--post-data={"postcode":"SW1A 1AA"}',
          'https://localhost/api/postcode/lookup',
        ),
      );
      assert.equal(JSON.parse(response).result.postcode, 'SW1A 1AA');
    },
  );
  await check('Caddy: plain http is redirected to https', async () => {
    assert.match(await ask('http://localhost/healthz'), /ok/u);
    await assert.rejects(ask('--max-redirect=0', 'http://localhost/healthz'));
  });
  await check('Caddy: does not serve the metrics', () => assert.rejects(ask('https://localhost/metrics')));
  await check('Caddy: SIGTERM ends both with 0', async () => {
    assert.equal(await caddy.stop(), 0);
    assert.equal(await server.stop(), 0);
  });
}
