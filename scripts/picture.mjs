import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';

// Renders docs/signpost-picture.html to docs/signpost.png with its own Signpost server. Needs a build.
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-picture-'));
const server = spawn(process.execPath, [join(root, 'server/bin/signpost.js'), 'start'], {
  env: { ...process.env, SIGNPOST_PORT: '0', SIGNPOST_DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  let output = '';
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += text;
    if (/API key +sp_live_\w+/u.test(output)) break;
  }
  const [, url] = /running at (\S+)/u.exec(output);
  const answer = await fetch(`${url}/api/screenshot`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': /sp_live_\w+/u.exec(output)[0] },
    body: JSON.stringify({
      html: readFileSync(join(root, 'docs/signpost-picture.html'), 'utf8'),
      selector: 'main',
      width: 1000,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  writeFileSync(join(root, 'docs/signpost.png'), Buffer.from(await answer.arrayBuffer()));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
