import { parseUrl } from '@signpost/contract';
import type { Frame, Page } from 'playwright';

/** How errors name a document without an origin. */
const NO_ORIGIN = 'a frame without an address of its own';

/** The origin of an address; undefined if it has none, such as a data: address or about:blank. */
function originOf(url: string): string | undefined {
  const origin = parseUrl(url)?.origin;
  return origin === 'null' ? undefined : origin;
}

/**
 * The origin of a frame's document. A document in the `srcdoc` attribute of its frame has the origin of the document
 * around the frame. Any other document whose address has no origin has none, because every frame can navigate itself
 * to such an address.
 */
function originOfFrame(frame: Frame): string | undefined {
  const parent = frame.parentFrame();
  return /^about:srcdoc(?:#|$)/u.test(frame.url()) && parent !== null
    ? originOfFrame(parent)
    : originOf(frame.url());
}

/** Whether an expression is true in a frame's document. Throws a FocusUnknown if that cannot be determined. */
async function isTrue(frame: Frame, expression: string): Promise<boolean> {
  // The expression returns only true, false or null: no value and no error that the page controls.
  const guarded = `(() => { try { return (${expression}) === true; } catch { return null; } })()`;
  const answer = await frame.evaluate<unknown>(guarded).catch(() => undefined);
  if (typeof answer !== 'boolean') throw new FocusUnknown();
  return answer;
}

/**
 * A piece of script that defines `active`, the element with the focus, in open shadow trees too, and `name`, its name.
 */
const ACTIVE = `
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  const name = active?.localName ?? '';`;

/** An expression: whether the focus is in a frame, or in another element that may contain a document. */
const IS_FRAME_FOCUSED = `(() => {
  ${ACTIVE}
  return /^(?:i?frame|object|embed|fencedframe)$/u.test(name);
})()`;

/** An expression: whether the focus may be in a closed shadow tree, and so perhaps in a frame. */
const IS_FOCUS_HIDDEN = `(() => {
  ${ACTIVE}
  if (active === null || active.shadowRoot !== null || active === document.body) return false;
  return name.includes('-') || !active.matches(':focus');
})()`;

/** The document was replaced, or does not say which frame has the keyboard. */
export class FocusUnknown extends Error {}

/**
 * The origins into which steps may type: that of the page on which the steps began, and those to which "goto" has
 * led. So if a page navigates elsewhere, the next page does not get text that is meant for the first page only.
 */
export class TypingOrigins {
  readonly #allowed = new Set<string>();

  /** Allows the origin of an address. Does nothing if the address has no origin. */
  allow(url: string): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#allowed.add(origin);
  }

  /**
   * The origin of a frame, or words for a missing origin, if steps must not type into the frame; otherwise undefined.
   */
  foreignOrigin(frame: Frame | null): string | undefined {
    const origin = frame === null ? undefined : originOfFrame(frame);
    if (origin === undefined) return NO_ORIGIN;
    return this.#allowed.has(origin) ? undefined : origin;
  }

  /**
   * The origin that has the keyboard now, or words for it, if steps must not type into it; otherwise undefined. Only
   * documents into which steps may type are asked which of their frames has the focus. `separateFrames` is the number
   * of frames in other processes. Throws a FocusUnknown if a document that is asked does not say.
   */
  async foreignFocus(page: Page, separateFrames: number): Promise<string | undefined> {
    const hasForeign = () =>
      separateFrames > 0 || page.frames().some((frame) => this.foreignOrigin(frame) !== undefined);
    let frame: Frame | undefined = page.mainFrame();
    while (frame !== undefined) {
      const foreign = this.foreignOrigin(frame);
      if (foreign !== undefined) return foreign;
      const isInFrame =
        (await isTrue(frame, IS_FRAME_FOCUSED)) || (hasForeign() && (await isTrue(frame, IS_FOCUS_HIDDEN)));
      if (!isInFrame) return undefined;
      frame = await this.#focusedFrame(frame);
    }
    return 'another site';
  }

  /**
   * The frame directly inside `outer` that has the focus; undefined if none says so. Asks only frames into which steps
   * may type, because other frames could lie.
   */
  async #focusedFrame(outer: Frame): Promise<Frame | undefined> {
    for (const frame of outer.childFrames()) {
      if (this.foreignOrigin(frame) !== undefined) continue;
      if (await isTrue(frame, 'document.hasFocus()')) return frame;
    }
    return undefined;
  }
}
