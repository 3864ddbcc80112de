import { z } from 'zod';
import { DEFAULT_VIEWPORT, type Viewport } from '../browser/blank-page.js';
import registry from './devices.generated.json' with { type: 'json' };
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

/** The window in which a page is shown, and the touch and user agent of its device. */
export interface PageWindow extends Required<Viewport> {
  readonly hasTouch: boolean;
  /** The user agent, if it differs from the browser's own. */
  readonly userAgent?: string | undefined;
}

const devices: Readonly<Record<string, PageWindow>> = registry;

/** Completes the window of a request: with its own values, otherwise those of its device, otherwise the defaults. */
export function withWindow<Request extends PageRequest>(request: Request): Request & PageWindow {
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

/** The part of a page that its window shows, in CSS pixels. */
interface View {
  readonly width: number;
  readonly height: number;
  /**
   * The number of the window's pixels per CSS pixel. Below 1 on a phone if the page was not made for phones, because
   * phones show its full width.
   */
  readonly zoom: number;
}

const pixels = z.number().positive();

export async function viewOf(open: OpenPage, { width, height, isMobile }: PageWindow): Promise<View> {
  if (!isMobile) return { width, height, zoom: 1 };
  const shownWidth = pixels.parse(await open.evaluate('Math.round(visualViewport.width)'));
  const zoom = width / shownWidth;
  return { width: shownWidth, height: Math.ceil(height / zoom), zoom };
}
