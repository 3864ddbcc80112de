import { z } from 'zod';
import { DEFAULT_VIEWPORT, type Viewport } from '../browser/blank-page.js';
import registry from './devices.generated.json' with { type: 'json' };
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

/** What a page is shown in, and on what. */
export interface PageWindow extends Required<Viewport> {
  readonly hasTouch: boolean;
  /** How the browser names itself, where that is not its own name. */
  readonly userAgent?: string | undefined;
}

const devices: Readonly<Record<string, PageWindow>> = registry;

/** A request with all of its window: what it says itself, then what its device has, then what is usual. */
export function inWindow<Request extends PageRequest>(request: Request): Request & PageWindow {
  const device = devices[request.device ?? ''];
  return {
    ...request,
    width: request.width ?? device?.width ?? DEFAULT_VIEWPORT.width,
    height: request.height ?? device?.height ?? DEFAULT_VIEWPORT.height,
    scaleFactor: request.scaleFactor ?? device?.scaleFactor ?? 1,
    isMobile: device?.isMobile ?? false,
    hasTouch: device?.hasTouch ?? false,
    userAgent: request.userAgent ?? device?.userAgent,
  };
}

/** What of a page its window shows, in the page's own pixels. */
interface View {
  readonly width: number;
  readonly height: number;
  /** How large that is shown: phones show all the width of a page that is not made for them. */
  readonly zoom: number;
}

const pixels = z.number().positive();

export async function viewOf(open: OpenPage, { width, height, isMobile }: PageWindow): Promise<View> {
  if (!isMobile) return { width, height, zoom: 1 };
  const shownWidth = pixels.parse(await open.evaluate('Math.round(visualViewport.width)'));
  const zoom = width / shownWidth;
  return { width: shownWidth, height: Math.ceil(height / zoom), zoom };
}
