import sharp from 'sharp';
import { fittingPicture, MAX_PICTURE_BYTES } from './fitting-picture.js';

const MAX_SIDE = 1_568;

/** Makes a grey picture whose rows become brighter from the top to the bottom. */
async function banded(width: number, height: number) {
  const pixels = Buffer.alloc(width * height);
  for (let row = 0; row < height; row += 1)
    pixels.fill(Math.floor((row * 256) / height), row * width, (row + 1) * width);
  const body = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return { body, mediaType: 'image/png' };
}

/** Makes a picture of noise, the same in each run. */
async function noise(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let index = 0; index < pixels.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[index] = state >>> 24;
  }
  const body = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { body, mediaType: 'image/png' };
}

const greyAt = async (image: Buffer, row: number) => {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data[row * info.width * info.channels] ?? -1;
};

test.each([
  [1280, 800],
  [390, 844],
  [1568, 1568],
])('a picture of %i × %i is shown unchanged', async (width, height) => {
  const picture = await banded(width, height);
  const fitting = await fittingPicture(picture, { part: 1, isScreen: false });
  expect(fitting).toMatchObject({ width, height, parts: 1, isWhole: true });
  expect(fitting.pieces).toEqual([{ ...picture, top: 0, bottom: height }]);
});

test('a picture of 3000 × 1500 is shown as one JPEG of 1568 × 784', async () => {
  const { pieces, isWhole } = await fittingPicture(await banded(3000, 1500), { part: 1, isScreen: false });
  expect([pieces.length, isWhole, pieces[0]?.mediaType]).toEqual([1, false, 'image/jpeg']);
  expect(await sharp(pieces[0]?.body).metadata()).toMatchObject({ width: MAX_SIDE, height: MAX_SIDE / 2 });
});

test.each([
  [320, 1600, 2],
  [320, 7841, 6],
  [320, 19_452, 13],
  [2000, 6000, 3],
])('a picture of %i × %i is shown in %i legible pieces without a gap', async (width, height, count) => {
  const picture = await banded(width, height);
  let below = 0;
  let found = 0;
  const { parts } = await fittingPicture(picture, { part: 1, isScreen: false });
  for (let part = 1; part <= parts; part += 1) {
    const { pieces } = await fittingPicture(picture, { part, isScreen: false });
    for (const { body, top, bottom } of pieces) {
      expect(top).toBe(below);
      const size = await sharp(body).metadata();
      expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(MAX_SIDE);
      expect(size.width).toBeGreaterThanOrEqual(Math.min(width, MAX_SIDE) * 0.99);
      expect(Math.abs((await greyAt(body, 2)) - (top * 256) / height)).toBeLessThan(8);
      expect(Math.abs((await greyAt(body, size.height - 3)) - (bottom * 256) / height)).toBeLessThan(8);
      below = bottom;
      found += 1;
    }
  }
  expect([below, found]).toEqual([height, count]);
});

test('a part after the last one has no pieces', async () => {
  const fitting = await fittingPicture(await banded(100, 100), { part: 2, isScreen: false });
  expect(fitting).toMatchObject({ pieces: [], parts: 1, isWhole: false });
});

test('pieces that hardly compress still fit into a result together', async () => {
  const { pieces } = await fittingPicture(await noise(800, 4000), { part: 1, isScreen: false });
  expect(pieces).toHaveLength(3);
  expect(pieces.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
});

test('a single screen of a phone is one picture, as WebP if the capture is WebP, otherwise as JPEG', async () => {
  const phone = await banded(1_179, 2_556);
  const { pieces, parts } = await fittingPicture(phone, { part: 1, isScreen: true });
  expect([parts, pieces.length, pieces[0]?.mediaType]).toEqual([1, 1, 'image/jpeg']);
  expect(await sharp(pieces[0]?.body).metadata()).toMatchObject({ format: 'jpeg', width: 723 });
  const body = await sharp(phone.body).webp().toBuffer();
  const webp = await fittingPicture({ body, mediaType: 'image/webp' }, { part: 1, isScreen: true });
  expect(await sharp(webp.pieces[0]?.body).metadata()).toMatchObject({ format: 'webp', width: 723 });
});
