import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { pictureSize } from '../../mcp/src/tools/fitting-picture.js';
import { decodePng } from '../fixtures/capture/decode-png.js';
import { inBrowser, startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { connectHttp, type ConnectedClient, picturesOf, wordsOf } from './support/clients.js';
import { EVERYDAY_PAGES } from './support/everyday-pages.js';

/** Characters of JSON for one token. */
const CHARACTERS_PER_TOKEN = 4;
/** Pixels of a picture for one token, as models look at them. */
const PIXELS_PER_TOKEN = 750;

let app: ConsoleApp;
let pages: Pages;
let client: ConnectedClient;
const rows: string[] = [];
beforeAll(async () => {
  pages = await servePages(EVERYDAY_PAGES);
  app = await startConsoleApp(UNLIMITED, inBrowser);
  client = await connectHttp(`${app.url}/mcp`, { 'X-Api-Key': app.apiKey });
});
afterAll(async () => {
  process.stdout.write(`  task                                        calls  tokens\n${rows.join('\n')}\n`);
  await client.close();
  await app.close();
  await pages.close();
});

/** The tokens of a result: its fields and text, because some clients pass on both, and the pixels of its pictures. */
async function tokensOf(result: CallToolResult): Promise<number> {
  let pixels = 0;
  const content = result.content.filter(({ type }) => type !== 'image');
  for (const { bytes } of result.content.length === content.length ? [] : picturesOf(result)) {
    const { width, height } = await pictureSize(bytes);
    pixels += width * height;
  }
  const { length } = JSON.stringify({ ...result, content });
  return Math.ceil(length / CHARACTERS_PER_TOKEN) + Math.ceil(pixels / PIXELS_PER_TOKEN);
}

type Call = (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;

interface Task {
  readonly name: string;
  /** The maximum number of calls, and of tokens in all their results together. */
  readonly calls: number;
  readonly tokens: number;
  readonly play: (call: Call, page: (path: keyof typeof EVERYDAY_PAGES) => { url: string }) => Promise<void>;
}

const pictureOf = (result: CallToolResult) => picturesOf(result)[0]?.bytes ?? Buffer.alloc(0);
const wholeNumber = (words: string, pattern: RegExp) => Number(pattern.exec(words)?.[1]);
/** The colour in the middle of a result's picture. */
const middleOf = (result: CallToolResult) => {
  const { width, height, at } = decodePng(pictureOf(result));
  return at(Math.floor(width / 2), Math.floor(height / 2));
};

const POSTCODES: readonly Task[] = [
  {
    name: 'constituency of an address',
    calls: 2,
    tokens: 500,
    async play(call) {
      const text = 'Buckingham Palace, London, sw1a1aa';
      const found = wordsOf(await call('find_postcodes_in_text', { text }));
      const [postcode] = found.split(' at ');
      const words = wordsOf(await call('lookup_postcode', { postcode }));
      expect(words).toContain('Constituency: Cities of London and Westminster');
    },
  },
  {
    name: 'all postcodes within 1 km, with their number',
    calls: 1,
    tokens: 1_000,
    async play(call) {
      const around = { postcode: 'SW1A 1AA', radiusMetres: 1_000, limit: 100, offset: 0, fields: [] };
      const words = wordsOf(await call('find_nearest_postcodes', around));
      const total = wholeNumber(words, /of (\d+)\.\n/u);
      expect(total).toBeGreaterThan(1);
      expect(words.match(/ m {2}\S/gu)).toHaveLength(total);
    },
  },
  {
    name: 'distance of two',
    calls: 1,
    tokens: 100,
    async play(call) {
      const words = wordsOf(await call('measure_distance', { from: 'SW1A 1AA', to: ['EH99 1SP'] }));
      expect(wholeNumber(words, /EH99 1SP: (\d+)/u)).toBeGreaterThan(500_000);
    },
  },
  {
    name: 'summary of an outcode',
    calls: 1,
    tokens: 500,
    async play(call) {
      expect(wordsOf(await call('get_outcode', { outcode: 'SW1A' }))).toMatch(
        /active postcodes[\s\S]*Middle: [\d., -]+\n[\s\S]*Westminster/u,
      );
    },
  },
  {
    name: 'constituencies of 250 postcodes',
    calls: 3,
    tokens: 12_000,
    async play(call) {
      for (const count of [100, 100, 50]) {
        const postcodes = Array.from({ length: count }, () => 'SW1A 1AA');
        const words = wordsOf(await call('lookup_postcodes', { postcodes, fields: ['constituency'] }));
        expect(words.match(/constituency Cities of London/gu)).toHaveLength(count);
      }
    },
  },
  {
    name: 'a typo',
    calls: 2,
    tokens: 300,
    async play(call) {
      const refused = await call('lookup_postcode', { postcode: 'SW1A 1AB' });
      expect(refused.isError).toBe(true);
      const partial = /ask autocomplete_postcode with \{"partial": "([^"]+)"\}/u.exec(wordsOf(refused))?.[1];
      expect(wordsOf(await call('autocomplete_postcode', { partial }))).toContain('SW1A 1AA');
    },
  },
  {
    name: "a postcode in a mail's text",
    calls: 1,
    tokens: 100,
    async play(call) {
      const text = 'Dear all,\nwe meet at Holyrood, EH99-1SP, on Friday.\nA.';
      expect(wordsOf(await call('find_postcodes_in_text', { text }))).toMatch(
        /^EH99 1SP at 31 to 39: exists/u,
      );
    },
  },
  {
    name: 'usage',
    calls: 1,
    tokens: 900,
    async play(call) {
      expect(wordsOf(await call('get_usage', {}))).toMatch(/Requests: \d+ in all, \d+ today/u);
    },
  },
];

const CAPTURES: readonly Task[] = [
  {
    name: 'one fact in a page of 165,000 characters',
    calls: 1,
    tokens: 2_000,
    async play(call, page) {
      const words = wordsOf(await call('read_page', { ...page('/statute'), findTexts: ['fishing licence'] }));
      expect(wholeNumber(words.replaceAll(',', ''), /of its (\d+) characters/u)).toBeGreaterThan(165_000);
      expect(words).toContain('The fee for a fishing licence is 41 pounds and 50 pence.');
    },
  },
  {
    name: 'the section at an anchor of that page',
    calls: 1,
    tokens: 1_200,
    async play(call, page) {
      const url = `${page('/statute').url}#fees`;
      const words = wordsOf(await call('read_page', { url, maxCharacters: 3_000 }));
      expect(words).toContain('The fee for a fishing licence is 41 pounds and 50 pence.');
    },
  },
  {
    name: 'an article as Markdown in two pages',
    calls: 2,
    tokens: 2_800,
    async play(call, page) {
      const first = wordsOf(await call('read_page', { ...page('/article'), maxCharacters: 5_000 }));
      expect(first).toMatch(/On canals[\s\S]*Paragraph 1 on canals/u);
      const offset = wholeNumber(first, /Call again with offset (\d+)/u);
      const second = await call('read_page', { ...page('/article'), offset, maxCharacters: 6_000 });
      expect(wordsOf(second)).toMatch(/last part:[\s\S]*Paragraph 60 on canals/u);
    },
  },
  {
    name: 'comparison of two long pages',
    calls: 2,
    tokens: 10_000,
    async play(call, page) {
      const words = [
        wordsOf(await call('read_page', page('/long-1'))),
        wordsOf(await call('read_page', page('/long-2'))),
      ];
      expect(words).toEqual([
        expect.stringContaining('Paragraph 100 on bridges'),
        expect.stringContaining('Paragraph 100 on tunnels'),
      ]);
    },
  },
  {
    name: 'picture of one table',
    calls: 1,
    tokens: 200,
    async play(call, page) {
      const result = await call('capture_screenshot', { ...page('/table'), selector: 'table' });
      const { width, height } = await pictureSize(pictureOf(result));
      expect([width < 400, height < 200]).toEqual([true, true]);
    },
  },
  {
    name: 'a page that loads after 3 s',
    calls: 1,
    tokens: 200,
    async play(call, page) {
      const result = await call('read_page', { ...page('/late'), waitForSelector: '#late' });
      expect(wordsOf(result)).toContain('The score is 3 to 1');
    },
  },
  {
    name: 'dark mode',
    calls: 1,
    tokens: 1_600,
    async play(call, page) {
      const result = await call('capture_screenshot', { ...page('/themes'), colorScheme: 'dark' });
      expect(middleOf(result)).toEqual([0, 0, 0]);
    },
  },
  {
    name: 'a page under a consent overlay',
    calls: 1,
    tokens: 600,
    async play(call, page) {
      const small = { width: 390, height: 844, blockCookieBanners: true };
      const result = await call('capture_screenshot', { ...page('/consent'), ...small });
      expect(middleOf(result)).toEqual([0, 128, 0]);
    },
  },
  {
    name: 'PDF of an article over HTTP',
    calls: 1,
    tokens: 300,
    async play(call, page) {
      const words = wordsOf(await call('capture_pdf', page('/article')));
      const answer = await fetch(/https?:\S+\/files\/\w+/u.exec(words)?.[0] ?? '');
      expect((await answer.text()).startsWith('%PDF-')).toBe(true);
    },
  },
];

test.each([...POSTCODES, ...CAPTURES])(
  'the task "$name" takes at most $calls calls and $tokens tokens',
  async ({ name, calls, tokens, play }) => {
    const results: CallToolResult[] = [];
    const call: Call = async (tool, args) => {
      const result = await client.call(tool, args);
      results.push(result);
      return result;
    };
    await play(call, (path) => ({ url: pages.url + path }));
    const each = await Promise.all(results.map(tokensOf));
    const total = each.reduce((sum, one) => sum + one, 0);
    rows.push(`  ${name.padEnd(44)} ${String(results.length).padStart(4)} ${String(total).padStart(7)}`);
    expect(results.length).toBeLessThanOrEqual(calls);
    expect(total).toBeLessThanOrEqual(tokens);
  },
);

test('the calls that the prompt area_profile asks for return the areas of the postcode and of those near it', async () => {
  const { messages } = await client.client.getPrompt({
    name: 'area_profile',
    arguments: { postcode: 'SW1A 1AA' },
  });
  const words = messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
  const [postcode] = /[A-Z]+\d\w* \d[A-Z]+/u.exec(words) ?? [];
  const record = wordsOf(await client.call('lookup_postcode', { postcode }));
  for (const fact of ['Country', 'Region', 'Local authority', 'Ward', 'Constituency', 'Police force'])
    expect(record).toMatch(new RegExp(`^${fact}: \\w`, 'mu'));
  const around = {
    postcode,
    ...Object.fromEntries(
      [...words.matchAll(/(radiusMetres|limit|offset) (\d+)/gu)].map(([, name = '', value]) => [
        name,
        Number(value),
      ]),
    ),
    fields: z.array(z.string()).parse(JSON.parse(/fields (\[.*?\])/u.exec(words)?.[1] ?? '')),
  };
  const nearest = await client.call('find_nearest_postcodes', around);
  const said = wordsOf(nearest);
  const total = wholeNumber(said, /within 500 m of SW1A 1AA, .* of (\d+)\.\n/u);
  const shared = said.match(/m {2}\S+ \S+; ward [^;\n]+; constituency [^;\n]+$/gmu);
  expect(shared).toHaveLength(Math.min(total, 100));
  expect(await tokensOf(nearest)).toBeLessThan(10_000);
});
