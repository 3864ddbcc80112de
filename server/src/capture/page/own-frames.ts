import { parseUrl } from '@signpost/contract';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** The frames of a page that hold what is of its own origin, and nothing that another one could have put there. */
export class OwnFrames {
  readonly #parents = new Map<string, string>();
  readonly #foreign = new Set<string>();

  constructor(
    protocol: ProtocolSession,
    private readonly mainFrameId: string,
    private readonly origin: string,
  ) {
    protocol.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.#parents.set(frameId, parentFrameId);
    });
    protocol.on('Page.frameDetached', ({ frameId, reason }) => {
      this.#parents.delete(frameId);
      if (reason === 'remove') this.#foreign.delete(frameId);
    });
    protocol.on('Page.frameNavigated', ({ frame: { id, url } }) => {
      const { origin: arrived, protocol: scheme } = parseUrl(url) ?? {};
      if (arrived === origin) this.#foreign.delete(id);
      else if (scheme?.startsWith('http') === true) this.#foreign.add(id);
    });
  }

  /** Takes note of where a frame is led, before it is there. */
  note(frameId: string, origin: string | undefined): void {
    if (origin !== this.origin) this.#foreign.add(frameId);
  }

  /** Whether neither the frame nor one around it is or was led elsewhere; what is in it is then the page's own. */
  has(frameId: string): boolean {
    let frame: string | undefined = frameId;
    while (frame !== undefined && !this.#foreign.has(frame)) {
      if (frame === this.mainFrameId) return true;
      frame = this.#parents.get(frame);
    }
    return false;
  }
}
