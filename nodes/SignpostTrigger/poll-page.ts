import {
  type IDataObject,
  type INodeExecutionData,
  type IPollFunctions,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';
import { entryOf, isObject, numberOf, textOf } from '../shared/values';
import { ONE_CLOCK_VERSION, optionListsIn } from './trigger-properties';
import { readWatchedPage, type CheckResult, type WatchedPage } from './watched-page';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 60;
/** n8n does not poll exactly once a minute. A check that is due within this time runs now instead of a minute later. */
const SLACK_MS = 15_000;

/** The options of all option lists together. */
const optionsOf = (context: IPollFunctions): IDataObject =>
  Object.fromEntries(
    optionListsIn(context.getNode().typeVersion).flatMap((list) => {
      const options = context.getNodeParameter(list, {});
      return isObject(options) ? Object.entries(options) : [];
    }),
  );

function pageToWatch(context: IPollFunctions): WatchedPage {
  const url = textOf(context.getNodeParameter('url', ''));
  if (url === undefined)
    throw new NodeOperationError(context.getNode(), 'URL is empty', {
      description: 'Enter the address of the page to watch.',
    });
  return {
    url,
    as: context.getNodeParameter('watch', 'text') === 'picture' ? 'picture' : 'text',
    selector: textOf(context.getNodeParameter('selector', '')),
    options: optionsOf(context),
  };
}

async function itemOf(
  context: IPollFunctions,
  { url, as, selector }: WatchedPage,
  { json, text, picture }: CheckResult,
  before: string | null,
): Promise<INodeExecutionData[][]> {
  const about = { url, watched: as, ...(selector === undefined ? {} : { selector }) };
  const checkedAt = new Date().toISOString();
  if (picture === undefined) return [[{ json: { ...about, ...json, checkedAt, before, after: text ?? '' } }]];
  const field = entryOf(context.getNodeParameter('binaryPropertyName', 'data')) ?? 'data';
  const { bytes, fileName, mimeType } = picture;
  const data = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
  return [[{ json: { ...about, ...json, checkedAt, binaryField: field }, binary: { [field]: data } }]];
}

/**
 * The contexts with which a trigger was checked before. n8n makes a context when it publishes the workflow, and uses
 * that context for every check, except in versions that make a new one each time.
 */
const polledBefore = new WeakSet<IPollFunctions>();

/** Statuses that mean that the credential or its address is wrong. */
const CREDENTIAL_STATUSES = ['401', '403', '404', '405'];

/**
 * Whether to ignore a failed check. If the first check after publishing throws, n8n never checks again. So a failed
 * request of that check is ignored, unless the credential or its address is wrong. Some versions of n8n make a new
 * context for each check, so each check looks like the first. Those versions call every check an update, and then the
 * second failure in a row is not ignored.
 */
const isIgnored = (
  context: IPollFunctions,
  staticData: IDataObject,
  isFirst: boolean,
  error: unknown,
): boolean =>
  isFirst &&
  error instanceof NodeApiError &&
  !CREDENTIAL_STATUSES.includes(error.httpCode ?? '') &&
  !(staticData.isFailing === true && context.getActivationMode() === 'update');

/**
 * Whether the next check is due. A check with changed parameters is always due. In newer versions of the node, every
 * check is due, because only n8n's Poll Times decide when to check.
 */
function isDue(context: IPollFunctions, staticData: IDataObject, subject: string, nowMs: number): boolean {
  if (
    context.getNode().typeVersion >= ONE_CLOCK_VERSION ||
    (staticData.asked ?? staticData.subject) !== subject
  )
    return true;
  const minutes = numberOf(context.getNodeParameter('everyMinutes', DEFAULT_MINUTES)) ?? DEFAULT_MINUTES;
  return nowMs - (numberOf(staticData.checkedAtMs) ?? 0) >= minutes * MINUTE_MS - SLACK_MS;
}

/**
 * Returns an item if the page has changed. Returns null if the page has not changed, if it is seen for the first time
 * with these parameters, if the next check is not due yet, or if the check failed and that is to be ignored. Other
 * failures are thrown. In a test in the editor, returns an item for the current page even if nothing has changed.
 */
export async function pollPage(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  const watched = pageToWatch(context);
  if (context.getMode() === 'manual')
    return await itemOf(context, watched, await readWatchedPage(context, watched), null);

  const isFirst = !polledBefore.has(context);
  polledBefore.add(context);
  const staticData = context.getWorkflowStaticData('node');
  const subject = JSON.stringify(watched);
  const nowMs = Date.now();
  if (!isDue(context, staticData, subject, nowMs)) return null;

  // Stored before the request, so that a failed check is not repeated a minute later: each check is metered.
  staticData.checkedAtMs = nowMs;
  staticData.asked = subject;
  const result = await readWatchedPage(context, watched).catch((error: unknown) => {
    // Removes the sentence "Leave … as it is." at the end of the message, which is about an option that the trigger
    // does not have.
    if (error instanceof NodeApiError) error.message = error.message.replace(/ Leave .* as it is\.$/u, '');
    const isToIgnore = isIgnored(context, staticData, isFirst, error);
    staticData.isFailing = true;
    if (isToIgnore) return undefined;
    throw error;
  });
  if (result === undefined) return null;
  const isKnown = staticData.subject === subject;
  const { mark, text: before } = staticData;
  staticData.isFailing = false;
  staticData.subject = subject;
  staticData.mark = result.mark;
  staticData.text = result.text ?? null;
  if (!isKnown || mark === result.mark) return null;
  return await itemOf(context, watched, result, typeof before === 'string' ? before : null);
}
