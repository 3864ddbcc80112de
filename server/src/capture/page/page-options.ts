import { LIMITS } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { type BlankPage, DEFAULT_VIEWPORT, setMedia, setViewport } from '../browser/blank-page.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import { OWN_WORLD } from './open-page.js';
import type { PageRequest } from './page-request.js';
import type { PageWindow } from './page-window.js';
import { NOTE_SCROLL_WATCHERS } from './scroll-watchers.js';
import { NOTE_SCRIPTS } from './still-document.js';

/**
 * Applies an option that only the browser can validate. If the browser rejects it, throws a ServiceError with these
 * words.
 */
async function tryOption(applying: Promise<unknown>, words: string): Promise<void> {
  await applying.catch((error: unknown) => {
    throw error instanceof ProtocolError ? new ServiceError('invalidRequest', words) : error;
  });
}

/** Sets the visitor's language, for scripts and for servers, and the user agent. */
async function setAgent(
  protocol: ProtocolSession,
  locale: string | undefined,
  userAgent: string | undefined,
): Promise<void> {
  if (locale !== undefined)
    await tryOption(
      protocol.send('Emulation.setLocaleOverride', { locale }),
      `The browser does not know the "locale" ${JSON.stringify(locale)}. Send another one, such as "en-GB".`,
    );
  const baseAgent = userAgent ?? (await protocol.send('Browser.getVersion')).userAgent;
  await protocol.send('Emulation.setUserAgentOverride', {
    userAgent: baseAgent,
    ...(locale === undefined ? {} : { acceptLanguage: locale }),
  });
}

const setTimezone = (protocol: ProtocolSession, timezoneId: string): Promise<void> =>
  tryOption(
    protocol.send('Emulation.setTimezoneOverride', { timezoneId }),
    `The browser does not know the "timezone" ${JSON.stringify(timezoneId)}. Send another name of it, such as "Europe/London".`,
  );

/**
 * Sets the window if it differs from that of a blank page, and touch if the device has it. Throws a ServiceError if the
 * window is too large.
 */
async function setWindow(protocol: ProtocolSession, window: PageWindow): Promise<void> {
  const { width, height, scaleFactor, isMobile, hasTouch } = window;
  const { maxPixels } = LIMITS.viewport;
  if (Math.max(width, height) * scaleFactor > maxPixels)
    throw new ServiceError(
      'invalidRequest',
      `A window of ${width} × ${height} has more than ${maxPixels} pixels on a side at a scale of ${scaleFactor}. Make "scaleFactor", "width" or "height" smaller.`,
    );
  const isUsual = width === DEFAULT_VIEWPORT.width && height === DEFAULT_VIEWPORT.height;
  if (!isUsual || scaleFactor !== 1 || isMobile) await setViewport(protocol, window);
  if (hasTouch) await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

/**
 * Applies the options that must be set before a page is loaded. Throws a ServiceError if the window is too large, or if
 * the browser does not know the locale or the time zone.
 */
export async function applyPageOptions(
  { protocol }: BlankPage,
  { colorScheme = 'light', animations, ...request }: PageRequest & PageWindow,
): Promise<void> {
  const { media, locale, timezone, userAgent, javaScript = true } = request;
  const motion = animations === 'allow' ? 'no-preference' : 'reduce';
  const isPlain = colorScheme === 'light' && motion === 'reduce' && media === undefined;
  // All at the same time, because each takes a round trip to the browser.
  await Promise.all([
    setWindow(protocol, request),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: NOTE_SCRIPTS, worldName: OWN_WORLD }),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: NOTE_SCROLL_WATCHERS }),
    !isPlain && setMedia(protocol, { colorScheme, motion, media }),
    (locale !== undefined || userAgent !== undefined) && setAgent(protocol, locale, userAgent),
    timezone !== undefined && setTimezone(protocol, timezone),
    !javaScript && protocol.send('Emulation.setScriptExecutionDisabled', { value: true }),
  ]);
}
