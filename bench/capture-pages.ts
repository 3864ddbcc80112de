import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { corpusFile } from './corpus-pages.js';
import { onEnd } from './endings.js';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A PNG like a photograph, with soft shapes and grain. It is the same for the same size and seed. */
function picture(width: number, height: number, seed: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  let grain = seed + 1;
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < 3 * width; x += 1) {
      grain = (Math.imul(grain, 1_103_515_245) + 12_345) >>> 0;
      const shape = 127 + 90 * Math.sin((x + 40 * seed) / 150) * Math.cos((y + 25 * seed) / 60);
      rows[y * (1 + 3 * width) + 1 + x] = shape + (grain >>> 27);
    }
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(rows, { level: 1 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const CARDS = 300;
const PICTURES = 30;
const TALL_PIXELS = 20_000;
const BAND_PIXELS = 200;

const page = (style: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><style>${style}</style></head><body>${body}</body></html>`;

const small = page(
  'body{font:18px/1.5 sans-serif;margin:3rem}',
  '<h1>A small page</h1><p>Some words that stand still.</p><ul><li>One</li><li>Two</li><li>Three</li></ul>',
);

const heavy = page(
  `body{font:16px/1.4 sans-serif;margin:2rem;display:grid;grid-template-columns:repeat(3,1fr);gap:2rem;background:linear-gradient(#eef,#fee)}
   article{padding:1.5rem;border-radius:1rem;background:#fff;box-shadow:0 .5rem 2rem rgba(0,0,0,.25)}img{width:100%;height:180px;object-fit:cover}`,
  Array.from(
    { length: CARDS },
    (_, index) =>
      `<article><img src="/picture-${index % PICTURES}.png" alt=""><h2>Card ${index}</h2><p>${'Words of a card. '.repeat(6)}</p></article>`,
  ).join(''),
);

const tall = page(
  `body{margin:0}div{height:${BAND_PIXELS}px;font:40px sans-serif}`,
  Array.from(
    { length: TALL_PIXELS / BAND_PIXELS },
    (_, band) => `<div style="background:hsl(${(band * 37) % 360} 70% 60%)">Band ${band}</div>`,
  ).join(''),
);

/** A light page whose script fills a list, then waits for clicks and scrolling. */
const scripts = page(
  'body{font:18px/1.5 sans-serif;margin:3rem}',
  `<h1>A page with scripts</h1><ul></ul><script>
    const list = document.querySelector('ul');
    for (let item = 1; item <= 20; item += 1)
      list.append(Object.assign(document.createElement('li'), { textContent: 'Item ' + item }));
    list.addEventListener('click', ({ target }) => target.classList.toggle('chosen'));
    addEventListener('scroll', () => list.classList.toggle('scrolled', scrollY > 0));
  </script>`,
);

const LAZY_PICTURES = 80;
const LAZY_MS = 100;
const lazy = page(
  'body{margin:2rem;display:grid;grid-template-columns:repeat(2,1fr);gap:1rem}img{width:100%;height:300px}',
  Array.from(
    { length: LAZY_PICTURES },
    (_, index) => `<img loading="lazy" src="/late-picture-${index}.png" alt="">`,
  ).join(''),
);

const pages: Readonly<Record<string, string>> = {
  '/small': small,
  '/scripts': scripts,
  '/heavy': heavy,
  '/tall': tall,
  '/lazy': lazy,
};
const pictures = new Map(
  Array.from({ length: PICTURES }, (_, index) => [`/picture-${index}.png`, picture(320, 140, index)]),
);

/** Serves the pages of the capture benchmark on loopback, and the files of the test corpus if its folder is given. */
export async function serveCapturePages(corpus?: string): Promise<{ url: string; end: () => Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const late = /^\/late-picture-(\d+)\.png$/u.exec(path)?.[1];
    if (late !== undefined) await pause(LAZY_MS);
    const image = pictures.get(late === undefined ? path : `/picture-${Number(late) % PICTURES}.png`);
    const text = pages[path];
    if (image !== undefined) response.setHeader('Content-Type', 'image/png').end(image);
    else if (text !== undefined) response.setHeader('Content-Type', 'text/html; charset=utf-8').end(text);
    else {
      const file = corpus === undefined ? undefined : await corpusFile(corpus, path);
      if (file === undefined) response.writeHead(404).end();
      else response.writeHead(200, file.headers).end(file.body);
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const end = onEnd(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${port ?? 0}`, end };
}
