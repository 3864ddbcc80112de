import { withinTime } from '../../platform/within-time.js';
import { stayingOn } from './load-page.js';
import type { OpenPage } from './open-page.js';
import type { TimePolicy } from './page-clock.js';
import type { PageRequest } from './page-request.js';
import { SHOW_AGAIN } from './reveal-lazy-content.js';
import { CANNOT_CHANGE } from './still-document.js';

/** What passes on the page, where charts take a second to grow, and what that may take of ours. */
const WAITS: readonly (readonly [policy: TimePolicy, pageMs: number, maxMs: number])[] = [
  ['pauseIfNetworkFetchesPending', 1_500, 1_000],
  // It stood still while it waited for what is fetched.
  ['advance', 2_500, 500],
];
const MAX_DRAWING_MS = 5_000;
/** How much faster than time the page's animations run. */
const PLAYBACK_RATE = 10_000;
const FRAMES = { min: 2, max: 10 };

/** Those without an end rest as they are. Answers whether nothing else can move, so that there is nothing to wait for. */
const PAUSE_ENDLESS = `(() => {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.pause();
  const isMoving = document.getAnimations().some(({ playState }) => playState === 'running');
  return !isMoving && ${CANNOT_CHANGE};
})()`;

/** Scripts draw what their clock says in the next frame, and may start transitions there. */
const UNTIL_DRAWN = `(async () => {
  const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running');
  for (let frame = 0; frame < ${FRAMES.min} || (frame < ${FRAMES.max} && moving().length > 0); frame += 1) {
    for (const animation of moving()) if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
    ${SHOW_AGAIN}
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  }
})()`;

/** The page has too much to do for its time to pass as ours does: it is to be taken as it moves. */
export class NeverRests extends Error {}

/** Lets the page's time pass, and waits until what it brings is drawn. */
async function passTime(open: OpenPage, { waitUntil }: PageRequest): Promise<void> {
  const { clock, deadline } = open;
  // Who does not wait for a page to load does not wait for what it fetches either.
  const waits = waitUntil === 'domContentLoaded' ? WAITS.slice(1) : WAITS;
  const isOver = await stayingOn(open, async () => {
    for (const wait of waits) if (await deadline.race(clock.pass(...wait))) return true;
    return false;
  });
  if (!isOver) throw new NeverRests();
  clock.keepPace();
  await withinTime(open.evaluate(UNTIL_DRAWN), MAX_DRAWING_MS, () => new NeverRests());
}

/**
 * Brings what moves to its end, by styles or by scripts, unless it is to be caught as it moves. Throws PageMovedOn
 * where that brings another page, and NeverRests where it takes too long.
 */
export async function finishAnimations(open: OpenPage, request: PageRequest): Promise<void> {
  if (request.animations === 'allow') return;
  const { protocol, deadline } = open;
  const [isStill] = await Promise.all([
    open.evaluate(PAUSE_ENDLESS),
    deadline.race(protocol.send('Animation.setPlaybackRate', { playbackRate: PLAYBACK_RATE })),
  ]);
  if (isStill === true) return;
  if (open.isRestless) await open.evaluate(UNTIL_DRAWN);
  else await passTime(open, request);
}
