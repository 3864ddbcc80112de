import { scriptedPage } from '../../../../test/fixtures/capture/scripted-page.js';
import { isWorthCompressing } from './png-compression.js';

const AREA = { x: 0, y: 0, width: 1_000, height: 1_000 };
const MEGAPIXEL = 1_000_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each<[boolean, string, number, number, number]>([
  [false, 'flat, but quickly captured', 50, MEGAPIXEL, 0],
  [true, 'flat, and captured in a second', 1_000, 2 * MEGAPIXEL, 0],
  [false, 'flat, but large', 1_000, 20 * MEGAPIXEL, 0],
  [false, 'a photograph', 500, MEGAPIXEL, 1],
  [true, 'a photograph that took long', 1_500, MEGAPIXEL, 1],
  [true, 'a page with few pictures', 300, MEGAPIXEL, 0.2],
  [false, 'a page with many pictures', 300, MEGAPIXEL, 0.5],
])(
  'compresses well only if that adds less than a tenth to the time: %s for %s',
  async (isWorth, _what, ms, pixels, pictures) => {
    const { open } = scriptedPage({ reply: () => ({}), evaluate: () => Promise.resolve(pictures) });
    jest.advanceTimersByTime(ms);
    expect(await isWorthCompressing(open, AREA, pixels, 1)).toBe(isWorth);
    open.deadline.end();
  },
);

test('expects compression to take longer on a busy machine', async () => {
  const { open } = scriptedPage({ reply: () => ({}), evaluate: () => Promise.resolve(0) });
  jest.advanceTimersByTime(300);
  expect(await isWorthCompressing(open, AREA, MEGAPIXEL, 1)).toBe(true);
  expect(await isWorthCompressing(open, AREA, MEGAPIXEL, 10)).toBe(false);
  open.deadline.end();
});

test('compresses fast while other captures wait for the core', async () => {
  const { open } = scriptedPage({
    reply: () => ({}),
    evaluate: () => Promise.resolve(0),
    doOthersWait: true,
  });
  jest.advanceTimersByTime(10_000);
  expect(await isWorthCompressing(open, AREA, MEGAPIXEL, 1)).toBe(false);
  open.deadline.end();
});
