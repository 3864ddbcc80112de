import type { INodeProperties } from 'n8n-workflow';
import { Signpost } from '../../../nodes/Signpost/Signpost.node.js';
import { capturePdf, captureScreenshot, readPage } from '../../../nodes/Signpost/capture/capture-operations';
import { httpFailure, success } from '../fixtures/fake-execution';
import { run } from '../fixtures/new-node';

const picture = () =>
  success(Buffer.from('P'), {
    'content-type': 'image/png',
    'x-page-rest': 'bounded',
    'x-missing-fonts': 'Thai',
  });

test('a capture can be put into a field, so that the item keeps its own url and file name', async () => {
  const items = [{ url: 'of the item', fileName: 'theirs' }];
  const parameters = { url: 'https://a.test/', options: { resultField: 'capture' } };
  const { output } = await run(captureScreenshot, { parameters, items, answer: picture });
  expect(output[0]?.json).toMatchObject({
    ...items[0],
    capture: { url: 'https://a.test/', fileName: 'a.test.png', pageRest: 'bounded', missingFonts: 'Thai' },
  });
  expect(output[0]?.binary?.data).toBeDefined();
});

const complete = () => success(Buffer.from('P'), { 'content-type': 'image/png' });
/** The fields that an earlier capture of an incomplete page added. */
const earlier = (prefix: string) =>
  Object.fromEntries(
    Object.entries({ captureTimeMs: 5, isComplete: false, missingFonts: 'Thai', pageParts: 3 }).map(
      ([name, value]) => [`${prefix}${name}`, value],
    ),
  );

test.each(['home_', ''])(
  'with the prefix "%s", a capture replaces what an earlier one with this prefix said, and nothing else',
  async (fieldPrefix) => {
    const parameters = { url: 'https://a.test/', options: { fieldPrefix } };
    const items = [{ ...earlier(fieldPrefix), ...earlier('other_'), name: 'Ada' }];
    const { json } = await run(captureScreenshot, { parameters, items, answer: complete });
    expect(json[0]).toMatchObject({
      ...earlier('other_'),
      name: 'Ada',
      [`${fieldPrefix}fileName`]: 'a.test.png',
    });
    for (const name of ['isComplete', 'missingFonts', 'pageParts'])
      expect(json[0]).not.toHaveProperty(`${fieldPrefix}${name}`);
  },
);

test.each([{ fieldPrefix: 'second_' }, { resultField: 'second' }])(
  'a capture with the options %j keeps the fields of an earlier capture without options',
  async (options) => {
    const items = [earlier('')];
    const parameters = { url: 'https://a.test/', options };
    const { json } = await run(captureScreenshot, { parameters, items, answer: complete });
    expect(json[0]).toMatchObject(earlier(''));
  },
);

test.each([captureScreenshot, capturePdf, readPage])(
  'the request of $name times out after 3 minutes, or after an hour if timeoutMs is 600,000',
  async (operation) => {
    for (const [options, timeout] of [
      [{}, 180_000],
      [{ timeoutMs: 5_000 }, 180_000],
      [{ timeoutMs: 600_000 }, 3_600_000],
    ] as const) {
      const { requests } = await run(operation, {
        parameters: { url: 'https://a.test/', whenThePageIsReadyOptions: options },
        answer: () => Promise.reject(httpFailure(400, { error: 'No.' })),
      });
      expect(requests[0]?.timeout).toBe(timeout);
    }
  },
);

test('an item that failed because of the status of its page has that status, and an error with the names of the editor', async () => {
  const error = 'The page answers with the status 404. Leave "failOnPageStatus" out to capture it as it is.';
  const { json } = await run(captureScreenshot, {
    parameters: { url: 'https://a.test/' },
    answer: () => Promise.reject(httpFailure(400, { error })),
  });
  expect(json[0]).toMatchObject({
    error: 'The page answers with the status 404. Leave Fail on Page Status out to capture it as it is.',
    pageStatus: 404,
    details: { httpStatus: 400 },
  });
});

test.each([
  ['"cookies[0].name" must be a token.', 'Cookies 1 > Name must be a token.'],
  ['"clip.width" must be at least 1.', 'Clip > Width (Pixels) must be at least 1.'],
  ['"width" must be at least 16.', 'Window Width (Pixels) must be at least 16.'],
  [
    '"media" must be one of "screen", "print", but is "url".',
    'Media must be one of "screen", "print", but is "url".',
  ],
  [
    '"device" must be one of the 207 names that the reference lists, such as "Galaxy S8".',
    'Device must be one of the 207 names that its list offers, such as "Galaxy S8".',
  ],
])('errors name fields as the editor does: the error %s', async (error, shown) => {
  const { json } = await run(captureScreenshot, {
    parameters: { url: 'https://a.test/' },
    answer: () => Promise.reject(httpFailure(400, { error })),
  });
  expect(json[0]?.error).toBe(shown);
});

const lists = new Signpost().description.properties.filter(({ type }) => type === 'collection');
const isOf = (version: 'lt' | 'gte', { displayOptions }: INodeProperties) =>
  JSON.stringify(displayOptions?.show?.['@version'] ?? '').includes(version);

test('in new workflows, no list of options has more than twelve, and no earlier option is missing', () => {
  const since = lists.filter((list) => !isOf('lt', list));
  const long = since.filter(({ options = [] }) => options.length > 12);
  expect(long.map(({ displayName, options }) => [displayName, options?.length])).toEqual([]);
  const named = (chosen: readonly INodeProperties[]) =>
    new Set(chosen.flatMap(({ options = [] }) => options.map(({ name }) => name)));
  const before = named(lists.filter((list) => isOf('lt', list)));
  expect([...before].filter((name) => !named(since).has(name))).toEqual([]);
});

test('an option is sent from whichever list contains it', async () => {
  const parameters = {
    url: 'https://a.test/',
    options: { failOnPageStatus: true },
    whenThePageIsReadyOptions: { waitMs: 5 },
    pictureOptions: { width: 800 },
  };
  const { bodies } = await run(captureScreenshot, { parameters, answer: picture });
  expect(bodies[0]).toMatchObject({ failOnPageStatus: true, waitMs: 5, width: 800 });
});
