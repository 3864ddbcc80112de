import { parseUrl } from '@signpost/contract';
import type { Frame, Page } from 'playwright';

/** The origin of a frame's document. A document without an address of its own has that of the frame around it. */
function originOf(frame: Frame): string {
  const origin = parseUrl(frame.url())?.origin ?? 'null';
  if (origin !== 'null') return origin;
  const parent = frame.parentFrame();
  return parent === null ? 'null' : originOf(parent);
}

const IS_FRAME_FOCUSED = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return /^i?frame$/iu.test(active?.nodeName ?? '');
})()`;

/**
 * The origins that steps may type into: that of the page on which the steps began, and those that "goto" led to. So a page
 * that leads elsewhere does not get what was meant for it.
 */
export class TypingOrigins {
  readonly #allowed = new Set<string>();

  /** Allows the origin of an address. */
  allow(url: string): void {
    this.#allowed.add(parseUrl(url)?.origin ?? '');
  }

  /** The origin of a frame that must not be typed into; undefined if it may be. */
  foreignOrigin(frame: Frame): string | undefined {
    const origin = originOf(frame);
    return this.#allowed.has(origin) ? undefined : origin;
  }

  /**
   * The origin that gets the keyboard now and must not be typed into; undefined if it may be. Only documents that may be
   * typed into are asked which of their frames has the focus.
   */
  async foreignFocus(page: Page): Promise<string | undefined> {
    let frame: Frame | undefined = page.mainFrame();
    while (frame !== undefined) {
      const foreign = this.foreignOrigin(frame);
      if (foreign !== undefined) return foreign;
      if ((await frame.evaluate<unknown>(IS_FRAME_FOCUSED)) !== true) return undefined;
      frame = await this.#focusedFrame(frame);
    }
    return 'another site';
  }

  /** The frame in another one that has the focus, if it may be typed into. Others are not asked, because they could lie. */
  async #focusedFrame(outer: Frame): Promise<Frame | undefined> {
    for (const frame of outer.childFrames()) {
      if (this.foreignOrigin(frame) !== undefined) continue;
      if ((await frame.evaluate<unknown>('document.hasFocus()')) === true) return frame;
    }
    return undefined;
  }
}
