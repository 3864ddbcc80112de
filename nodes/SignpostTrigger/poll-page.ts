import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { isObject, numberOf, textOf } from '../shared/values';
import { lookAt, type Seen, type Watched } from './watched-page';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 60;
/** n8n's minutes are not exact. A check that is due within this time is not postponed by a minute. */
const SLACK_MS = 15_000;

function watchedOf(context: IPollFunctions): Watched {
  const url = textOf(context.getNodeParameter('url', ''));
  if (url === undefined)
    throw new NodeOperationError(context.getNode(), 'URL is empty', {
      description: 'Enter the address of the page to watch.',
    });
  const options = context.getNodeParameter('options', {});
  return {
    url,
    as: context.getNodeParameter('watch', 'text') === 'picture' ? 'picture' : 'text',
    selector: textOf(context.getNodeParameter('selector', '')),
    options: isObject(options) ? options : {},
  };
}

async function itemOf(
  context: IPollFunctions,
  { url, as, selector }: Watched,
  { json, text, picture }: Seen,
  before: string | null,
): Promise<INodeExecutionData[][]> {
  const about = { url, watched: as, ...(selector === undefined ? {} : { selector }) };
  const checkedAt = new Date().toISOString();
  if (picture === undefined) return [[{ json: { ...about, ...json, checkedAt, before, after: text ?? '' } }]];
  const field = textOf(context.getNodeParameter('binaryPropertyName', 'data')) ?? 'data';
  const { bytes, fileName, mimeType } = picture;
  const data = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
  return [[{ json: { ...about, ...json, checkedAt, binaryField: field }, binary: { [field]: data } }]];
}

/**
 * Returns an item if the page has changed; null if it has not, if it is seen for the first time, or if the next check
 * is not due. A test in the editor always gets the current page.
 */
export async function pollPage(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  const watched = watchedOf(context);
  if (context.getMode() === 'manual')
    return await itemOf(context, watched, await lookAt(context, watched), null);

  const kept = context.getWorkflowStaticData('node');
  const subject = JSON.stringify(watched);
  const isKnown = kept.subject === subject;
  const everyMs =
    (numberOf(context.getNodeParameter('everyMinutes', DEFAULT_MINUTES)) ?? DEFAULT_MINUTES) * MINUTE_MS;
  const nowMs = Date.now();
  if (isKnown && nowMs - (numberOf(kept.checkedAtMs) ?? 0) < everyMs - SLACK_MS) return null;

  // Stored before the request: a failed check is not repeated a minute later, because each one is metered.
  kept.checkedAtMs = nowMs;
  const seen = await lookAt(context, watched);
  const { mark, text: before } = kept;
  kept.subject = subject;
  kept.mark = seen.mark;
  kept.text = seen.text ?? null;
  if (!isKnown || mark === seen.mark) return null;
  return await itemOf(context, watched, seen, typeof before === 'string' ? before : null);
}
