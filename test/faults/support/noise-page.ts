import type { ServerResponse } from 'node:http';

/** Width and height of the page in pixels. Its PNG has about 12 MB, more than any socket can buffer. */
export const NOISE_PIXELS = 2_000;

/** Sends a page of random pixels, which no image format can compress much. */
export function sendNoisePage(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Noise</title>
<body style="margin:0"><canvas width="${NOISE_PIXELS}" height="${NOISE_PIXELS}" style="display:block"></canvas>
<script>
  const context = document.querySelector('canvas').getContext('2d');
  const image = context.createImageData(${NOISE_PIXELS}, ${NOISE_PIXELS});
  for (let start = 0; start < image.data.length; start += 65536)
    crypto.getRandomValues(image.data.subarray(start, start + 65536));
  for (let alpha = 3; alpha < image.data.length; alpha += 4) image.data[alpha] = 255;
  context.putImageData(image, 0, 0);
</script>`);
}
