import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMissingFonts, NO_FONT } from './find-browser.js';

const KINDS = ['emoji', 'East Asian characters', 'Indic scripts', 'Thai', NO_FONT];

test('names only known kinds of characters as missing on this machine, and none twice', async () => {
  const missing = await findMissingFonts();

  expect(new Set(missing).size).toBe(missing.length);
  expect(missing.filter((name) => !KINDS.includes(name))).toEqual([]);
});

test('names the kinds of characters for which a folder has no font file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonts-'));
  try {
    expect(await findMissingFonts([folder])).toEqual([NO_FONT]);
    await mkdir(join(folder, 'truetype'));
    await writeFile(join(folder, 'truetype', 'DejaVuSans.ttf'), '');
    expect(await findMissingFonts([folder])).toEqual(KINDS.slice(0, 4));
    for (const name of [
      'NotoColorEmoji.ttf',
      'NotoSansThai-Regular.ttf',
      'NotoSansCJK.ttc',
      'Lohit-Tamil.ttf',
    ])
      await writeFile(join(folder, name), '');
    expect(await findMissingFonts([folder])).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
