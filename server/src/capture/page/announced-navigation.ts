import type { CDPSession } from 'playwright';

/** A meta element may announce a navigation for any time; a page that moves on later is captured as it is until then. */
const AT_ONCE_SECONDS = 0.1;

/** Knows whether a page is about to move on, by a script or a meta element, before the other document is there. */
export class AnnouncedNavigation {
  #isAnnounced = false;
  #onNavigated: (() => void) | undefined;

  constructor(protocol: CDPSession, mainFrameId: string) {
    protocol.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrameId && delay < AT_ONCE_SECONDS) this.#isAnnounced = true;
    });
    protocol.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === mainFrameId && disposition === 'currentTab') this.#isAnnounced = true;
    });
    // Not Playwright's own event, which also comes where a script changes the address of the document that is there.
    protocol.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return;
      this.#isAnnounced = false;
      this.#onNavigated?.();
    });
  }

  /** Whether the page moves on within so many milliseconds; false at once where it has not announced that. */
  async happensWithin(mostMs: number): Promise<boolean> {
    if (!this.#isAnnounced) return false;
    const happened = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), mostMs);
      this.#onNavigated = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.#onNavigated = undefined;
    this.#isAnnounced = false;
    return happened;
  }
}
