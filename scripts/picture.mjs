import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './root.mjs';

// Makes docs/signpost.png from docs/signpost-picture.html, and the pictures of server/assets from pages of the server,
// with a Signpost server that it starts. Draws the icons of server/assets from icons/signpost.svg. Needs a build.
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-picture-'));
const server = spawn(process.execPath, [join(root, 'server/bin/signpost.js'), 'start'], {
  env: {
    ...process.env,
    SIGNPOST_PORT: '0',
    SIGNPOST_DATA_DIR: dataDir,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const assets = join(root, 'server/assets');
const icon = join(root, 'icons/signpost.svg');
const TOUCH_ICON_PIXELS = 180;
const FAVICON_PIXELS = 32;
const ICO_HEADER_BYTES = 22;

/** An icon file that holds one PNG. */
function icoOf(png, pixels) {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(pixels, 6);
  header.writeUInt8(pixels, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(ICO_HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}

const drawIcon = (pixels) =>
  sharp(icon, { density: 600 }).resize(pixels, pixels).flatten({ background: '#ffffff' }).png().toBuffer();

try {
  let output = '';
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += text;
    if (/API key +sp_live_\w+/u.test(output)) break;
  }
  const [, url] = /running at (\S+)/u.exec(output);
  const capture = async (path, request) => {
    const answer = await fetch(`${url}/api/screenshot`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': /sp_live_\w+/u.exec(output)[0] },
      body: JSON.stringify(request),
    });
    if (!answer.ok) throw new Error(await answer.text());
    writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  };
  const page = { format: 'webp', quality: 80 };
  await capture(join(root, 'docs/signpost.png'), {
    html: readFileSync(join(root, 'docs/signpost-picture.html'), 'utf8'),
    selector: 'main',
    width: 1000,
  });
  const operation = `${url}/reference/captureScreenshot`;
  await capture(join(assets, 'capture.webp'), { ...page, url: operation, width: 1280, height: 800 });
  await capture(join(assets, 'preview.png'), { url: operation, width: 1200, height: 630 });
  const mapUrl = `${url}/?postcode=EH99+1SP`;
  await capture(join(assets, 'map.webp'), { ...page, url: mapUrl, selector: '.try-found svg', width: 1000 });
  // Makes these pictures smaller, so that the front page loads fast.
  for (const [name, width, quality] of [
    ['capture.webp', 960, 60],
    ['map.webp', 416, 70],
  ]) {
    const small = sharp(readFileSync(join(assets, name)))
      .resize(width)
      .webp({ quality, effort: 6 });
    writeFileSync(join(assets, name), await small.toBuffer());
  }
  writeFileSync(join(assets, 'touch-icon.png'), await drawIcon(TOUCH_ICON_PIXELS));
  writeFileSync(join(assets, 'favicon.ico'), icoOf(await drawIcon(FAVICON_PIXELS), FAVICON_PIXELS));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
