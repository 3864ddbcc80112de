import { createHash } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { captureFileName } from '../shared/file-names';
import { isTimeout } from '../shared/request-error';
import { requestOptions } from '../shared/json-request';
import type { RequestField } from '../shared/contract-fields';
import type { ServiceAnswer } from '../shared/service';
import { ServiceClient } from '../shared/service-client';
import { wrongAddress } from '../shared/wrong-address';
import { withSignIn } from '../Signpost/sign-in';
import { signpostService } from '../Signpost/signpost-service';
import { entryOf, isObject, numberOf, property, textOf } from '../shared/values';
import { ignoredPatterns, withoutIgnored } from './ignored-text';
import { pageFields, pictureFields } from './trigger-properties';

/**
 * The maximum number of characters of a page's text that a check reads, compares and remembers. The rest is not
 * watched.
 */
const MAX_CHARACTERS = 50_000;
/** The time limit of a check. n8n abandons a poll that takes about a minute. */
const MAX_CHECK_MS = 45_000;
/** How long a check may wait if the server is busy or a limit is used up. If that is not enough, the check fails. */
const MAXIMUM_WAIT_MS = 10_000;
/**
 * A longer Timeout that the user set is cut to this. It is shorter than MAX_CHECK_MS, so that the server's own error
 * message still arrives.
 */
const MAX_PAGE_MS = 40_000;

/** The page or element to watch, from the node's parameters. */
export interface WatchedPage {
  readonly url: string;
  readonly as: 'text' | 'picture';
  readonly selector: string | undefined;
  readonly options: IDataObject;
}

/** The result of one check. */
export interface CheckResult {
  /** A hash of the compared text or of the picture. */
  readonly mark: string;
  /** Fields for the output, without the text and without the bytes of the picture. */
  readonly json: IDataObject;
  readonly text?: string;
  readonly picture?: { readonly bytes: Buffer; readonly fileName: string; readonly mimeType: string };
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');

/**
 * The CSS that the user entered, and a style that hides everything except the selected elements: hidden text is not
 * read, and visible content keeps its position.
 */
const cssOfElement = (selector: string, css: unknown) =>
  [
    textOf(css) ?? '',
    `body, body :not(:is(${selector}), :is(${selector}) *) { visibility: hidden !important; }`,
    `:is(${selector}) { visibility: visible !important; }`,
  ].join('\n');

const notSignpost = (context: IPollFunctions, { baseUrl }: ServiceAnswer) =>
  wrongAddress(context.getNode(), baseUrl, 'answered with neither a page nor a picture');

/**
 * The body of a request for the page, with the options that `fields` has. A timeout that the user set is cut to
 * MAX_PAGE_MS. An error page is a failed check, and not a change.
 */
function bodyOf({ url, options }: WatchedPage, fields: readonly RequestField[]): IDataObject {
  const body: IDataObject = { ...requestOptions(options, fields), url, failOnPageStatus: true };
  const timeoutMs = numberOf(body.timeoutMs);
  if (timeoutMs !== undefined) body.timeoutMs = Math.min(timeoutMs, MAX_PAGE_MS);
  return body;
}

const timeLimits = () => ({ timeoutMs: MAX_CHECK_MS, deadlineMs: Date.now() + MAX_CHECK_MS });

async function readText(
  context: IPollFunctions,
  client: ServiceClient,
  watched: WatchedPage,
): Promise<CheckResult> {
  const { selector, options } = watched;
  const ignored = ignoredPatterns(context, options.ignorePatterns);
  const body: IDataObject = {
    ...bodyOf(watched, pageFields),
    format: 'text',
    // Reads the whole visible text, because the choice of the main content may change between checks.
    mainContentOnly: false,
    maxCharacters: MAX_CHARACTERS,
  };
  if (selector !== undefined) {
    body.css = cssOfElement(selector, body.css);
    body.waitForSelector ??= selector;
  }
  const answer = await client.send(
    {
      method: 'POST',
      path: '/api/content',
      body: await withSignIn(context, 0, body),
      isRepeatable: true,
      ...timeLimits(),
    },
    { itemIndex: 0, maximumWaitMs: MAXIMUM_WAIT_MS },
  );
  const result = property(answer.body, 'result');
  const content = property(result, 'content');
  if (!isObject(result) || typeof content !== 'string') throw notSignpost(context, answer);
  const { title = null, pageStatus = null } = result;
  return { mark: sha256(withoutIgnored(content, ignored)), text: content, json: { title, pageStatus } };
}

async function takePicture(
  context: IPollFunctions,
  client: ServiceClient,
  watched: WatchedPage,
): Promise<CheckResult> {
  const { url, selector, options } = watched;
  const body = bodyOf(watched, [...pageFields, ...pictureFields]);
  if (selector !== undefined) {
    body.selector = selector;
    delete body.fullPage;
  }
  const answer = await client.send(
    {
      method: 'POST',
      path: '/api/screenshot',
      body: await withSignIn(context, 0, body),
      isBinary: true,
      isRepeatable: true,
      ...timeLimits(),
    },
    { itemIndex: 0, maximumWaitMs: MAXIMUM_WAIT_MS },
  );
  const { body: file, headers } = answer;
  const mimeType = textOf(headers['content-type']) ?? '';
  if (mimeType !== 'image/png' || (!Buffer.isBuffer(file) && !(file instanceof ArrayBuffer)))
    throw notSignpost(context, answer);
  const bytes = Buffer.isBuffer(file) ? file : Buffer.from(file);
  const { stem, extension } = captureFileName(entryOf(options.fileName), url, '.png');
  const fileName = `${stem}${extension}`;
  const pageStatus = numberOf(headers['x-page-status']) ?? null;
  return {
    mark: sha256(bytes),
    picture: { bytes, fileName, mimeType },
    json: { pageStatus, fileName, mimeType, fileSizeBytes: bytes.length },
  };
}

const SLOW_PAGE =
  'If the page is slow, set Timeout (Milliseconds) to 40000 or less: then the server says what it was waiting for.';

/** Reads or captures the page once. Adds advice to the error if the check took too long and the user set no Timeout. */
export async function readWatchedPage(context: IPollFunctions, watched: WatchedPage): Promise<CheckResult> {
  const client = new ServiceClient(context, signpostService);
  const check = watched.as === 'picture' ? takePicture : readText;
  return await check(context, client, watched).catch((error: unknown) => {
    // Without a Timeout, the server's own limit applies, which is not known here and may be longer than a check.
    if (isTimeout(error) && numberOf(watched.options.timeoutMs) === undefined)
      error.description = `${error.description ?? ''} ${SLOW_PAGE}`.trim();
    throw error;
  });
}
