import type { PageRest } from '@signpost/contract';
import { z } from 'zod';
import { withinTime } from '../../platform/within-time.js';
import { onSameDocument } from './load-page.js';
import type { OpenPage } from './open-page.js';
import type { TimePolicy } from './page-clock.js';
import type { PageRequest } from './page-request.js';
import { CAN_SCROLL_NOW, SHOW_AGAIN } from './page-scroller.js';
import { waitForFirstMessages } from './first-messages.js';
import { CANNOT_CHANGE } from './still-document.js';

/**
 * The minimum page time that passes if anything on the page can move. If anything changes in its last part, the page
 * is not done yet.
 */
const LEAST_PAGE_MS = 4_000;
/** The first part of LEAST_PAGE_MS, in which changes are not watched. */
const UNWATCHED_PAGE_MS = 3_000;
const ROUND_PAGE_MS = 1_000;
/** The maximum number of rounds, so that about ten seconds of page time pass at most. */
const MAX_ROUNDS = 6;
/** The maximum real time: enough for a response that arrives two seconds after the page has loaded. */
const MAX_REAL_MS = 2_200;
/** How long a page that fell behind real time may take to catch up. */
const MAX_CATCHING_UP_MS = 500;
/** How far ahead of real time the page goes after catching up, because real time goes on meanwhile. */
const LEAD_MS = 500;
/**
 * The page time between drawing the page and checking whether it has changed. It passes only when new requests have
 * ended, except in captures that do not wait for the page to load.
 */
const LAST_LOOK_PAGE_MS = 50;
const MAX_DRAWING_MS = 5_000;
/** How many times faster the page's animations run. */
const PLAYBACK_RATE = 10_000;
const FRAMES = { quiet: 2, max: 10 };

/**
 * A script that stops endless animations where they are. Evaluates to whether nothing else can move, so that there is
 * nothing to wait for.
 */
const PAUSE_ENDLESS = `(() => {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.pause();
  const isMoving = document.getAnimations().some(({ playState }) => playState === 'running');
  return !isMoving && ${CANNOT_CHANGE};
})()`;

/**
 * A script that finishes animations until none is running, or for a limited number of frames. The page's scripts draw
 * in animation frames and may start transitions there. Evaluates to whether any animation was running that does not
 * follow the scroll position.
 */
const UNTIL_DRAWN = `(async () => {
  const finishAll = () => {
    const running = document.getAnimations().filter(({ playState }) => playState === 'running');
    // An animation that depends on where its element is in the window is paused in its middle: the element has come in,
    // and does not leave yet.
    for (const animation of running) if (animation.timeline instanceof ViewTimeline) {
      animation.pause();
      animation.currentTime = CSS.percent(50 - (animation.startTime?.value ?? 0));
    }
    const moving = running.filter(({ timeline }) => !(timeline instanceof ScrollTimeline));
    for (const animation of moving)
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.pause(); else animation.finish();
    return moving.length > 0;
  };
  let hasMoved = false;
  // The events about the end of an animation come one or two frames later.
  for (let frame = 0, quiet = 0; quiet < ${FRAMES.quiet} && frame < ${FRAMES.max}; frame += 1) {
    const isMoving = finishAll();
    hasMoved ||= isMoving;
    quiet = isMoving ? 0 : quiet + 1;
    ${SHOW_AGAIN}
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  }
  return hasMoved;
})()`;

const MAX_WATCHED_ROOTS = 50;
const MAX_WATCHED_CANVASES = 8;
const MAX_WATCHED_FIELDS = 50;

/**
 * A script that begins to watch for visible changes: in the document, in its open shadow trees, in frames of its own
 * origin, in the values of their fields, and on their canvases, by comparing small copies of them.
 */
const WATCH = `(() => {
  globalThis.signpostWatch?.observer.disconnect();
  // The classes of another document are not those of this one, so elements are recognised by their methods.
  const hostOf = (node) => node.parentElement ?? node.host ?? node.parentNode?.host;
  const isSeen = ({ target }) => (target.checkVisibility === undefined ? hostOf(target) : target)?.checkVisibility();
  const observer = new MutationObserver((records) => {
    if (!records.slice(0, 100).some(isSeen)) return;
    globalThis.signpostWatch.hasChanged = true;
    observer.disconnect();
  });
  const roots = [document];
  for (let at = 0; at < roots.length && roots.length < ${MAX_WATCHED_ROOTS}; at += 1) {
    observer.observe(roots[at], { subtree: true, childList: true, characterData: true, attributes: true });
    for (const { shadowRoot, contentDocument } of roots[at].querySelectorAll('*'))
      for (const root of [shadowRoot, contentDocument]) if (root?.querySelectorAll !== undefined) roots.push(root);
  }
  const all = (selector) => roots.slice(0, ${MAX_WATCHED_ROOTS}).flatMap((root) => [...root.querySelectorAll(selector)]);
  const canvases = all('canvas').slice(0, ${MAX_WATCHED_CANVASES});
  const fields = all('input, textarea').filter((field) => field.checkVisibility()).slice(0, ${MAX_WATCHED_FIELDS});
  const copy = (canvas) => {
    const context = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
    try {
      context.drawImage(canvas, 0, 0, 64, 64);
      return String(context.getImageData(0, 0, 64, 64).data);
    } catch {
      return '';
    }
  };
  const looks = () => [...canvases.map(copy), ...fields.map(({ value }) => value)];
  globalThis.signpostWatch = { observer, hasChanged: false, looks, before: looks() };
})()`;

/**
 * A script that begins to record whether animations end, because the page's scripts may then begin the next one, and
 * starts the watch for changes after a while. Evaluates to the page's time.
 */
const BEGIN = `(() => {
  globalThis.signpostMotion = { hasEnded: false };
  for (const type of ['transitionend', 'animationend'])
    document.addEventListener(type, () => { signpostMotion.hasEnded = true; }, { capture: true });
  setTimeout(() => ${WATCH}, ${UNWATCHED_PAGE_MS});
  return performance.now();
})()`;

const HAS_CHANGED = `(() => {
  // After a navigation, nothing is known about the new document yet.
  if (globalThis.signpostMotion === undefined || globalThis.signpostWatch === undefined) return true;
  const { hasEnded } = globalThis.signpostMotion;
  globalThis.signpostMotion.hasEnded = false;
  const { hasChanged, looks, before } = globalThis.signpostWatch;
  return hasEnded || hasChanged || looks().some((look, at) => look !== before[at]);
})()`;

const LAST_LOOK = `({ hasChanged: ${HAS_CHANGED}, canScrollNow: ${CAN_SCROLL_NOW} })`;
const lastLook = z.object({ hasChanged: z.boolean(), canScrollNow: z.boolean() });

/** Whether a page came to rest within the limits, and whether it can be scrolled now although it could not before. */
interface SettleResult {
  readonly pageRest: PageRest;
  readonly canScrollNow: boolean;
}

const STILL: SettleResult = { pageRest: 'reached', canScrollNow: false };

/**
 * A script that makes the page's animation frames follow page time. FRAMES_BY_THE_CLOCK, which runs in blank pages,
 * reads this setting.
 */
const FRAMES_FOLLOW_PAGE_TIME = "window[Symbol.for('signpost.framesFollowPageTime')] = true";

/** The page is too busy for its time to be controlled. Another attempt, if there is one, does not control it. */
export class NeverRests extends Error {}

const time = z.number();
const pageTime = async (open: OpenPage): Promise<number> =>
  time.parse(await open.evaluate('performance.now()'));

/** Makes the page's animation frames follow page time, which is to be controlled from now on. */
export async function controlAnimationFrames(open: OpenPage): Promise<void> {
  await open.isTrueInPage(FRAMES_FOLLOW_PAGE_TIME);
}

/** Lets page time pass in rounds, and draws the result of each, until nothing changes or a limit is reached. */
class Settling {
  readonly #startedMs = performance.now();
  readonly #waitedMs: number;

  #open: OpenPage;
  readonly #policy: TimePolicy;
  readonly #startedPageMs: number;

  constructor(open: OpenPage, policy: TimePolicy, startedPageMs: number) {
    this.#open = open;
    this.#waitedMs = open.waitedMs();
    this.#policy = policy;
    this.#startedPageMs = startedPageMs;
  }

  static async begin(open: OpenPage, { waitUntil }: PageRequest): Promise<Settling> {
    // A capture that does not wait for a page to load does not wait for its requests either.
    const policy = waitUntil === 'domContentLoaded' ? 'advance' : 'pauseIfNetworkFetchesPending';
    const [startedPageMs] = await Promise.all([open.evaluate(BEGIN), controlAnimationFrames(open)]);
    return new Settling(open, policy, time.parse(startedPageMs));
  }

  async settle(): Promise<SettleResult> {
    const open = this.#open;
    if (!(await this.#pass(LEAST_PAGE_MS))) return this.#stop();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const hasMoved = await this.#draw();
      if (!(await this.#pass(LAST_LOOK_PAGE_MS))) return this.#stop();
      const now = lastLook.parse(await open.evaluate(LAST_LOOK));
      if (hasMoved !== true && !now.hasChanged) {
        open.clock.keepPace();
        return { pageRest: 'reached', canScrollNow: now.canScrollNow };
      }
      await open.evaluate(WATCH);
      if (!(await this.#pass(ROUND_PAGE_MS))) return this.#stop();
    }
    return this.#stop();
  }

  #draw(): Promise<unknown> {
    return withinTime(this.#open.evaluate(UNTIL_DRAWN), MAX_DRAWING_MS, () => new NeverRests());
  }

  get #realMs(): number {
    return performance.now() - this.#startedMs;
  }

  #pass(pageMs: number): Promise<boolean> {
    const { clock, deadline, yieldDuring, waitedMs } = this.#open;
    const leftMs = MAX_REAL_MS - this.#realMs + (waitedMs() - this.#waitedMs);
    return yieldDuring(deadline.race(clock.pass(this.#policy, pageMs, Math.max(0, leftMs))));
  }

  async #passedMs(): Promise<number> {
    const now = await withinTime(pageTime(this.#open), MAX_CATCHING_UP_MS, () => new NeverRests());
    return now - this.#startedPageMs;
  }

  /** Ends the wait. The page first has to catch up with real time, because otherwise the browser draws nothing. */
  async #stop(): Promise<SettleResult> {
    const open = this.#open;
    const { clock, deadline } = open;
    // A request that never ends, such as a stream, must not keep the page's time from passing.
    const heldUpMs = LEAST_PAGE_MS - (await this.#passedMs());
    if (heldUpMs > 0) await deadline.race(clock.pass('advance', heldUpMs, MAX_CATCHING_UP_MS));
    const missingMs = Math.max(1, this.#realMs - (await this.#passedMs()) + LEAD_MS);
    if (!(await deadline.race(clock.pass('advance', missingMs, MAX_CATCHING_UP_MS)))) throw new NeverRests();
    clock.keepPace();
    await this.#draw();
    return { pageRest: 'bounded', canScrollNow: (await open.evaluate(CAN_SCROLL_NOW)) === true };
  }
}

/**
 * Waits until the page has come to rest, that is, until everything that moves is in its final state and nothing more
 * arrives, or until a limit is reached. Does not wait if the request says to capture the page while it moves. Throws
 * PageMovedOn if another page arrives, and NeverRests if the page is too busy.
 */
export async function settle(open: OpenPage, request: PageRequest): Promise<SettleResult> {
  if (request.animations === 'allow') return { ...STILL, pageRest: 'skipped' };
  const { protocol, deadline } = open;
  const [isStill] = await Promise.all([
    open.evaluate(PAUSE_ENDLESS),
    deadline.race(protocol.send('Animation.setPlaybackRate', { playbackRate: PLAYBACK_RATE })),
  ]);
  if (isStill === true) return STILL;
  if (open.isRestless) {
    await open.evaluate(UNTIL_DRAWN);
    return { ...STILL, pageRest: 'bounded' };
  }
  return onSameDocument(open, async () => {
    if (request.waitUntil !== 'domContentLoaded') await waitForFirstMessages(open);
    return (await Settling.begin(open, request)).settle();
  });
}
