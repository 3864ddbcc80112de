import { MemoryWatch } from './memory-watch.js';

const MB = 1_000_000;
const BROWSER = 1;
const GRAPHICS = 2;
const PAGE = 3;
const OTHER_PAGE = 4;

/** Watches a fake browser with two pages. None of its processes uses memory yet. */
function watchedBrowser() {
  const bytes = new Map([BROWSER, GRAPHICS, PAGE, OTHER_PAGE].map((pid) => [pid, 0]));
  const killed: number[] = [];
  const clock = { nowMs: 0 };
  let overgrown = 0;
  const silent = () => undefined;
  const watch = new MemoryWatch({
    rootPid: BROWSER,
    maxBytes: 300 * MB,
    processes: {
      tree: () => [...bytes].map(([pid, taken]) => ({ pid, bytes: taken })),
      isRenderer: (pid) => pid === PAGE || pid === OTHER_PAGE,
      ticks: () => 0,
      kill: (pid) => killed.push(pid),
      suspend: silent,
      resume: silent,
      preferForOomKill: silent,
    },
    monotonicMs: () => clock.nowMs,
    onOvergrown: () => (overgrown += 1),
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return { bytes, killed, clock, watch, overgrown: () => overgrown };
}

test('ends only the page over the limit, once, and reports that memory caused its crash', () => {
  const { bytes, killed, watch } = watchedBrowser();
  bytes.set(PAGE, 301 * MB).set(OTHER_PAGE, 300 * MB);

  watch.check();
  watch.check();

  expect(killed).toEqual([PAGE]);
  expect(watch.hasEndedBrowser).toBe(false);
  expect(watch.claimCrash()).toBe(true);
  expect(watch.claimCrash()).toBe(false);
});

test('watches a later page whose process has the id of an ended one like any other', () => {
  const { bytes, killed, watch } = watchedBrowser();
  bytes.set(PAGE, 301 * MB);
  watch.check();
  bytes.delete(PAGE);
  watch.check();
  bytes.set(PAGE, 301 * MB);

  watch.check();

  expect(killed).toEqual([PAGE, PAGE]);
});

test('counts the processes of one page together, and ends all of them if they exceed the limit', () => {
  const { bytes, killed, watch } = watchedBrowser();
  const end = watch.trackPage(new Set([PAGE, OTHER_PAGE]));
  bytes.set(PAGE, 150 * MB).set(OTHER_PAGE, 150 * MB);
  watch.check();
  expect(killed).toEqual([]);
  bytes.set(OTHER_PAGE, 151 * MB);

  watch.check();
  watch.check();

  expect(killed).toEqual([PAGE, OTHER_PAGE]);
  expect([watch.claimCrash(), watch.claimCrash()]).toEqual([true, false]);
  end();
});

test('a process that reuses the id of an ended one is not counted with the page of the ended one', () => {
  const { bytes, killed, watch } = watchedBrowser();
  watch.trackPage(new Set([PAGE, OTHER_PAGE]));
  bytes.delete(OTHER_PAGE);
  watch.check();
  bytes.set(PAGE, 200 * MB).set(OTHER_PAGE, 200 * MB);

  watch.check();

  expect(killed).toEqual([]);
});

test('counts only renderers against the limit of a page, even if the page is tracked with other processes', () => {
  const { bytes, killed, watch } = watchedBrowser();
  watch.trackPage(new Set([PAGE, BROWSER, GRAPHICS]));
  bytes.set(PAGE, 200 * MB).set(GRAPHICS, 200 * MB);

  watch.check();

  expect(killed).toEqual([]);
});

test('does not blame memory for a crash if no page was ended in the last five seconds', () => {
  const { bytes, clock, watch } = watchedBrowser();
  expect(watch.claimCrash()).toBe(false);
  bytes.set(PAGE, 301 * MB);
  watch.check();
  clock.nowMs = 5_001;

  expect(watch.claimCrash()).toBe(false);
});

test('a shared process may use twice as much as a page; above that, the browser is ended once', () => {
  const { bytes, killed, watch, overgrown } = watchedBrowser();
  bytes.set(GRAPHICS, 600 * MB);
  watch.check();
  expect(killed).toEqual([]);
  bytes.set(GRAPHICS, 601 * MB);

  watch.check();
  watch.check();

  expect(killed).toEqual([OTHER_PAGE, PAGE, GRAPHICS, BROWSER]);
  expect(overgrown()).toBe(1);
  expect(watch.hasEndedBrowser).toBe(true);
});
