import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { readCompose } from './compose-file.mjs';
import { composeProject } from './compose-project.mjs';
import { foreignImages } from './foreign-images.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

/** Where Caddy keeps the certificate of its own authority. */
const AUTHORITY = '/data/caddy/pki/authorities/local/root.crt';

/** What deploy/compose.caddy.yaml starts does together, with the certificate of localhost. */
export async function checkCaddy({ root, folder, toolsRoot, runtime, plug, image }) {
  const file = join(root, 'deploy/compose.caddy.yaml');
  const compose = await readCompose(file, {}, toolsRoot);
  const own = { rootfs: image.image, settings: image.settings };
  const images = { signpost: own, ...foreignImages(toolsRoot) };
  const project = composeProject({ compose, file, folder: join(folder, 'caddy'), runtime, plug, images });

  await check(
    'compose.caddy.yaml: the server trusts the address of Caddy alone, and knows its name',
    async () => {
      const { environment } = compose.services.signpost;
      assert.equal(environment.SIGNPOST_TRUST_PROXY, compose.services.caddy.networks.front.ipv4_address);
      const named = await readCompose(file, { SIGNPOST_DOMAIN: 'signpost.example' }, toolsRoot);
      assert.equal(named.services.signpost.environment.SIGNPOST_PUBLIC_URL, 'https://signpost.example');
      assert.equal(named.services.caddy.environment.SIGNPOST_DOMAIN, 'signpost.example');
    },
  );

  let server;
  let caddy;
  await step('Caddy: it and the server start as compose.caddy.yaml says', async () => {
    server = await project.start('signpost');
    await server.healthy();
    caddy = await project.start('caddy');
    await caddy.healthy();
    await until('the first key is shown', () => /sp_live_\w+/u.test(server.output()));
  });
  const [key] = /sp_live_\w+/u.exec(server.output());
  const ask = (...words) =>
    caddy.exec('wget', '--quiet', `--ca-certificate=${AUTHORITY}`, '--output-document=-', ...words);
  await check('Caddy: a postcode is looked up over TLS, by a certificate of its own authority', async () => {
    const answer = await until('the certificate is made', () =>
      ask(
        `--header=X-Api-Key: ${key}`,
        '--header=Content-Type: application/json',
        '--post-data={"postcode":"SW1A 1AA"}',
        'https://localhost/api/postcode/lookup',
      ),
    );
    assert.equal(JSON.parse(answer).result.postcode, 'SW1A 1AA');
  });
  await check('Caddy: plain http is led to https', async () => {
    assert.match(await ask('http://localhost/healthz'), /ok/u);
    await assert.rejects(ask('--max-redirect=0', 'http://localhost/healthz'));
  });
  await check('Caddy: the metrics are not for its callers', async () => {
    await assert.rejects(ask('https://localhost/metrics'));
  });
  await check('Caddy: both end by SIGTERM with 0', async () => {
    assert.equal(await caddy.stop('TERM'), 0);
    assert.equal(await server.stop('TERM'), 0);
  });
}
