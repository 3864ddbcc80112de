import type { BrowserPool } from './browser/pool.js';
import type { EndpointState } from './capture-service.js';
import type { ContextProxy } from './page/prepare-page.js';

/** Where captures are taken: in a browser of this machine, or in remote ones. */
export interface Browsers {
  readonly pool: BrowserPool;
  /** What a context is given to go through the guard; undefined where the browser was started with that. */
  readonly proxy?: ContextProxy;
  /** Captures that one browser takes at the same time. */
  readonly placesEach: number;
  /** How many captures may be under way now. */
  places(): number;
  /** The programs and their versions, as people read them. */
  describe(): string;
  endpoints(): readonly EndpointState[];
}
