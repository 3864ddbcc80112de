import { findMissingFonts } from './find-browser.js';

test('what has no font is named in words, each at most once', async () => {
  const missing = await findMissingFonts();

  expect(new Set(missing).size).toBe(missing.length);
  expect(missing.filter((name) => name !== 'emoji' && name !== 'East Asian characters')).toEqual([]);
});
