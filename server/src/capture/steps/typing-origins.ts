import { parseUrl } from '@signpost/contract';
import type { Frame, Page } from 'playwright';

/** What errors call the origin of a document that has none. */
const NO_ORIGIN = 'a frame without an address of its own';

/** The origin of an address; undefined if it has none, such as a data or blank one. */
function originOf(url: string): string | undefined {
  const origin = parseUrl(url)?.origin;
  return origin === 'null' ? undefined : origin;
}

/**
 * The origin of a frame's document. One that is in the markup of the document around it has its origin. A frame can lead
 * itself to any other address without an origin, whatever page contains it.
 */
function originOfFrame(frame: Frame): string | undefined {
  const parent = frame.parentFrame();
  return /^about:srcdoc(?:#|$)/u.test(frame.url()) && parent !== null
    ? originOfFrame(parent)
    : originOf(frame.url());
}

/** Whether an expression is true in a frame's document. Throws a FocusUnknown if that cannot be found out. */
async function isTrue(frame: Frame, expression: string): Promise<boolean> {
  // Neither an answer nor an error that the page controls leaves it.
  const guarded = `(() => { try { return (${expression}) === true; } catch { return null; } })()`;
  const answer = await frame.evaluate<unknown>(guarded).catch(() => undefined);
  if (typeof answer !== 'boolean') throw new FocusUnknown();
  return answer;
}

const IS_FRAME_FOCUSED = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return /^i?frame$/iu.test(active?.nodeName ?? '');
})()`;

/** The document was replaced, or does not say which frame has the keyboard. */
export class FocusUnknown extends Error {}

/**
 * The origins that steps may type into: that of the page on which the steps began, and those that "goto" led to. So a page
 * that leads elsewhere does not get what was meant for it.
 */
export class TypingOrigins {
  readonly #allowed = new Set<string>();

  /** Allows the origin of an address. */
  allow(url: string): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#allowed.add(origin);
  }

  /** The origin of a frame that must not be typed into; undefined if it may be. */
  foreignOrigin(frame: Frame | null): string | undefined {
    const origin = frame === null ? undefined : originOfFrame(frame);
    if (origin === undefined) return NO_ORIGIN;
    return this.#allowed.has(origin) ? undefined : origin;
  }

  /**
   * The origin that gets the keyboard now and must not be typed into; undefined if it may be. Only documents that may be
   * typed into are asked which of their frames has the focus. Throws a FocusUnknown.
   */
  async foreignFocus(page: Page): Promise<string | undefined> {
    let frame: Frame | undefined = page.mainFrame();
    while (frame !== undefined) {
      const foreign = this.foreignOrigin(frame);
      if (foreign !== undefined) return foreign;
      if (!(await isTrue(frame, IS_FRAME_FOCUSED))) return undefined;
      frame = await this.#focusedFrame(frame);
    }
    return 'another site';
  }

  /** The frame in another one that has the focus, if it may be typed into. Others are not asked, because they could lie. */
  async #focusedFrame(outer: Frame): Promise<Frame | undefined> {
    for (const frame of outer.childFrames()) {
      if (this.foreignOrigin(frame) !== undefined) continue;
      if (await isTrue(frame, 'document.hasFocus()')) return frame;
    }
    return undefined;
  }
}
