import type { CDPSession, Page } from 'playwright';
import { ServiceError } from '../../service-error.js';
import { BROWSER_END_MS } from '../browser/browser-gone.js';
import { AnnouncedNavigation } from './announced-navigation.js';
import type { CaptureDeadline } from './capture-deadline.js';
import { NetworkActivity } from './network-activity.js';
import type { PreparedPage } from './prepare-page.js';

/** A page in a context of its own: nothing of it is shared with any other capture. */
export interface OpenPage {
  readonly page: Page;
  readonly protocol: CDPSession;
  readonly network: NetworkActivity;
  readonly navigation: AnnouncedNavigation;
  readonly deadline: CaptureDeadline;
  /** Evaluates in a world of our own, which the page's scripts cannot change; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
}

const crashed = () =>
  new ServiceError('internal', 'The page crashed the browser: it may need more memory than there is.');

/** Puts a page under a deadline; whatever it tries to open or to ask is answered at once and changes nothing. */
export function openPage(prepared: PreparedPage, deadline: CaptureDeadline): OpenPage {
  const { context, page, protocol, mainFrameId } = prepared;
  page.on('crash', () => deadline.fail(crashed()));
  page.on('close', () => {
    setTimeout(() => {
      if (context.browser()?.isConnected() === true) deadline.fail(closedItself());
    }, BROWSER_END_MS).unref();
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (other) => void other.close().catch(() => undefined));
  const network = new NetworkActivity(page);
  const navigation = new AnnouncedNavigation(protocol, mainFrameId);
  let world: Promise<number> | undefined;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) world = undefined;
  });
  const evaluate = async (expression: string) => {
    world ??= isolatedWorld(protocol, mainFrameId);
    const { result, exceptionDetails } = await deadline.race(
      protocol.send('Runtime.evaluate', {
        expression,
        contextId: await deadline.race(world),
        awaitPromise: true,
        returnByValue: true,
      }),
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    const value: unknown = result.value;
    return value;
  };
  return { page, protocol, network, navigation, deadline, evaluate };
}

const closedItself = () =>
  new ServiceError('invalidRequest', 'The page closed its own window before it was captured.');

async function isolatedWorld(protocol: CDPSession, frameId: string): Promise<number> {
  const { executionContextId } = await protocol.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'signpost',
  });
  return executionContextId;
}
