import { type ReadPageRequest, readPageResponse } from '@signpost/contract';
import { pageText } from '../../../test/fixtures/capture/page-text.js';
import { UNLIMITED } from '../../../test/fixtures/unlimited-admission.js';
import { createCaptureCaches } from './capture-cache.js';
import { contentOperations } from './content-operations.js';

const URL = 'https://example.com/';
const { signal } = new AbortController();
const HALF_A_CHARACTER = /\p{Surrogate}/u;

const pageOf = (content: string) =>
  pageText({ url: URL, title: 'A title', language: 'en', durationMs: 12.4, content });

/** Returns `read`, which reads pages with a fake capture service; its nth page has the content `contentOf(n)`. */
function reader(contentOf: (count: number) => string) {
  const asked: ReadPageRequest[] = [];
  let turns = 0;
  let nowMs = 1_000;
  const capture = {
    reserve: () => Promise.reject(new Error('Not of this test.')),
    content: (request: ReadPageRequest) => {
      asked.push(request);
      return Promise.resolve(pageOf(contentOf(asked.length)));
    },
  };
  const { readPage: bound } = contentOperations(
    capture,
    createCaptureCaches(() => nowMs, 1),
  );
  const read = async (body: object, accountId = 'acc_ada') => {
    const reservation = {
      accountId,
      quota: 'whole' as const,
      run: <Result>(_signal: AbortSignal, work: () => Promise<Result>) => {
        turns += 1;
        return work();
      },
      release: () => undefined,
    };
    const answer = await bound.run({ url: URL, ...body }, { admission: UNLIMITED, reservation, signal });
    if (!('value' in answer)) throw new Error('A text is a value.');
    return { ...readPageResponse.parse(answer.value).result, headers: answer.headers };
  };
  return {
    asked,
    read,
    turns: () => turns,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const CONTENT = Array.from({ length: 4_321 }, (_, index) => `${index} 😀漢字`).join(' ');

test('the parts of a text join to the whole text, and the page is fetched only once', async () => {
  const { read, asked, turns } = reader((count) => `${count === 1 ? '' : 'changed '}${CONTENT}`);
  let whole = '';
  let offset: number | null = 0;
  while (offset !== null) {
    const part = await read({ offset, maxCharacters: 501 });
    expect(part.characters).toBe(CONTENT.length);
    expect(part.content.length).toBeLessThanOrEqual(501);
    expect(part.content).not.toMatch(HALF_A_CHARACTER);
    expect(part.headers).toEqual({
      'X-Capture-Time-Ms': offset === 0 ? 12 : 0,
      'X-Capture-Complete': 'true',
      'X-Page-Rest': 'reached',
    });
    whole += part.content;
    offset = part.nextOffset;
  }
  expect(whole).toBe(CONTENT);
  expect([asked.length, turns()]).toEqual([1, 1]);
});

test('no part of a text splits a character, whatever its offset', async () => {
  const { read } = reader(() => '😀'.repeat(1_000));
  expect((await read({ maxCharacters: 501 })).content).toBe('😀'.repeat(250));
  for (const offset of [1, 2, 3, 1_999]) {
    const { content } = await read({ offset, maxCharacters: 501 });
    expect(content).not.toMatch(HALF_A_CHARACTER);
    expect(content.startsWith('😀')).toBe(true);
  }
});

test('an offset at the end of a text returns an empty part', async () => {
  const { read } = reader(() => 'short');
  expect(await read({ offset: 5 })).toMatchObject({ content: '', characters: 5, nextOffset: null });
});

test('an offset of 0 reads the page again', async () => {
  const { read, asked } = reader((count) => String(count).repeat(600));
  await read({ maxCharacters: 500 });
  expect((await read({ maxCharacters: 500 })).content).toBe('2'.repeat(500));
  expect((await read({ offset: 500, maxCharacters: 500 })).content).toBe('2'.repeat(100));
  expect(asked).toHaveLength(2);
});

test('a cached text is used only if the same account requests another part of it with the same options', async () => {
  const { read, asked } = reader((count) => String(count).repeat(600));
  await read({ maxCharacters: 500 });
  expect((await read({ offset: 500 }, 'acc_eve')).content).toBe('2'.repeat(100));
  expect((await read({ offset: 500, format: 'text' })).content).toBe('3'.repeat(100));
  expect((await read({ offset: 500, includeLinks: true })).content).toBe('4'.repeat(100));
  const cookies = [{ name: 'session', value: 'a1b2c3' }];
  expect((await read({ offset: 500, cookies })).content).toBe('5'.repeat(100));
  expect((await read({ offset: 500, maxCharacters: 900 })).content).toBe('1'.repeat(100));
  expect(asked).toHaveLength(5);
});

test('a text is cached for ten minutes', async () => {
  const { read, asked, pass } = reader((count) => String(count).repeat(600));
  await read({ maxCharacters: 500 });
  pass(599_000);
  await read({ offset: 500 });
  expect(asked).toHaveLength(1);
  pass(2_000);
  expect((await read({ offset: 500 })).content).toBe('2'.repeat(100));
});

test('the cache is bounded, and keeps the texts that were read last', async () => {
  const { read, asked } = reader(() => 'x'.repeat(2_000_000));
  for (let page = 0; page < 20; page += 1) await read({ url: `${URL}${page}` });
  await read({ url: `${URL}19`, offset: 500 });
  expect(asked).toHaveLength(20);
  await read({ url: `${URL}0`, offset: 500 });
  expect(asked).toHaveLength(21);
});

test('a cached text no older than maxAgeSeconds is returned, even if the earlier response had all of it', async () => {
  const { read, asked, pass } = reader((count) => `page ${count}`);
  const aged = { maxAgeSeconds: 3_600 };
  expect((await read(aged)).headers).toMatchObject({ Age: 0, 'X-Cache': 'miss' });
  pass(1_800_000);
  const again = await read({ ...aged, maxCharacters: 500 });
  expect([again.content, again.headers]).toEqual([
    'page 1',
    {
      'X-Capture-Time-Ms': 0,
      'X-Capture-Complete': 'true',
      'X-Page-Rest': 'reached',
      Age: 1_800,
      'X-Cache': 'hit',
    },
  ]);
  expect((await read({ maxAgeSeconds: 60 })).content).toBe('page 2');
  expect((await read({})).content).toBe('page 3');
  expect((await read(aged, 'acc_eve')).content).toBe('page 4');
  expect(asked).toHaveLength(4);
});

test.each([
  [{ maxCharacters: 499 }, '"maxCharacters" must be a whole number from 500 to 500000, but is 499.'],
  [{ offset: -1 }, '"offset" must be a whole number from 0 to 2000000, but is -1.'],
  [{ format: 'md' }, /^"format" must be one of "markdown", "text", "html".*, but is "md"\.$/u],
  [{ includeLinks: 'yes' }, '"includeLinks" must be true or false, but is "yes".'],
  [{ url: 'example' }, /^"url" must be a whole http or https address/u],
  [{ maxCharacter: 500 }, '"maxCharacter" is not a field: did you mean "maxCharacters"?'],
])('a request with the field %j is rejected with a message about it', async (body, message) => {
  const { read, turns } = reader(() => '');
  await expect(read(body)).rejects.toThrow(message);
  expect(turns()).toBe(0);
});
