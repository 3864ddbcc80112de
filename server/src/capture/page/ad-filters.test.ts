import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdFilters } from './ad-filters.js';

const PAGE = 'https://news.example/today';
const NOTHING = { ids: [], classes: [], hrefs: [] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-lists-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the built-in list contains common ad servers, and does not block them on their own pages', async () => {
  const { isAd } = await (await createAdFilters([]))();
  expect(isAd('https://securepubads.g.doubleclick.net/tag/js/gpt.js', 'script', PAGE)).toBe(true);
  expect(isAd('https://www.google-analytics.com/collect?v=1', 'image', PAGE)).toBe(true);
  expect(isAd('https://widgets.outbrain.com/a.js', 'script', 'https://www.outbrain.com/')).toBe(false);
  expect(isAd('https://doubleclick.net.example/a.js', 'script', PAGE)).toBe(false);
  expect(isAd('https://cdn.example/jquery.js', 'script', PAGE)).toBe(false);
});

test('the built-in list hides elements by class, with rules only for classes in the page', async () => {
  const { hidingStyles } = await (await createAdFilters([]))();
  const styles = hidingStyles(PAGE, { ...NOTHING, classes: ['adsbygoogle', 'article'] });
  expect(styles).toMatch(/\.adsbygoogle\b[^{]*\{ display: none !important; \}/u);
  expect(styles).not.toContain('ad-container');
  expect(styles).not.toContain('article');
});

test("an operator's list is added to the built-in one, and its hiding rules apply only to the sites that they name", async () => {
  const list = join(folder, 'list.txt');
  await writeFile(list, '||ads.example^\nnews.example##.sponsored\nother.example##.teaser');
  const { isAd, hidingStyles } = await (await createAdFilters([list]))();
  expect(isAd('https://ads.example/a.png', 'image', PAGE)).toBe(true);
  expect(isAd('https://ad.doubleclick.net/a.png', 'image', PAGE)).toBe(true);
  const styles = hidingStyles(PAGE, { ...NOTHING, classes: ['sponsored', 'teaser'] });
  expect(styles).toContain('.sponsored');
  expect(styles).not.toContain('.teaser');
});

test('a list that cannot be read is an error at the start; if a list disappears later, getting the filters fails until it is back', async () => {
  const list = join(folder, 'list.txt');
  await expect(createAdFilters([list])).rejects.toThrow(
    `SIGNPOST_BLOCK_LISTS names a file that cannot be read: ${list} (there is no such file or folder). Correct the variable, or leave it out.`,
  );
  await writeFile(list, '||ads.example^');
  const filters = await createAdFilters([list]);
  await rm(list);
  await expect(filters()).rejects.toThrow(list);
  await writeFile(list, '||ads.example^');
  expect((await filters()).isAd('https://ads.example/a.png', 'image', PAGE)).toBe(true);
});
