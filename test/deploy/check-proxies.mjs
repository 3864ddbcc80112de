import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';

const PAGE = 'docs/how-to/run-behind-a-proxy.md';

/** Checks the examples of a page with the programs that read them. */
export async function checkProxies({ root, checkout, run }) {
  const page = readFileSync(join(root, PAGE), 'utf8');
  const blocksOf = (language) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gmu'))].map(
      ([, text]) => text,
    );

  await check(`${PAGE}: nginx accepts its example`, async () => {
    const [site, ...others] = blocksOf('nginx');
    assert.deepEqual(others, []);
    writeFileSync(join(checkout, 'nginx.conf'), `pid /tmp/nginx.pid;\nevents {}\nhttp {\n${site}}\n`);
    await run('nginx', '-t', '-c', '/checkout/nginx.conf');
  });
  await check(`${PAGE}: Caddy accepts its examples`, async () => {
    const sites = blocksOf('caddy');
    assert.equal(sites.length, 2);
    for (const site of sites) {
      writeFileSync(join(checkout, 'site.caddy'), site);
      await run('caddy', 'validate', '--config', '/checkout/site.caddy', '--adapter', 'caddyfile');
    }
  });
}
