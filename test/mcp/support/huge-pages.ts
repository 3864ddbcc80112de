import type { IncomingMessage, ServerResponse } from 'node:http';

const html = (body: string) => (_request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>A page</title><body style="margin:0">${body}`);
};

/** The HTML of a canvas of this size in pixels. Its pixels look random, are always the same, and hardly compress. */
const noise = (
  width: number,
  height: number,
) => `<canvas id=c style="display:block" width=${width} height=${height}></canvas><script>
  const context = document.getElementById('c').getContext('2d');
  const image = context.createImageData(${width}, ${height});
  const words = new Uint32Array(image.data.buffer);
  let state = 1;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
    words[index] = state | 0xff000000;
  }
  context.putImageData(image, 0, 0);
</script>`;

/** Pages whose captures are too large for any client, and a page that never finishes loading. */
export const HUGE_PAGES = {
  '/noise': html(noise(1280, 800)),
  '/vast-noise': html(noise(3000, 3000)),
  '/tall': html('<div style="height:20000px;background:linear-gradient(red,blue)"></div>'),
  '/tall-noise': html(noise(1280, 12_000)),
  '/many-pages': html(noise(1600, 2200)),
  '/never': (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200).write('<p>wait'),
} as const;
