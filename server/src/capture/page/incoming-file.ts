import type { BlankPage } from '../browser/blank-page.js';
import type { PausedRequest, ReplacementResponse } from '../browser/request-interceptor.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { ServiceError } from '../../platform/errors.js';
import { PageNotLoaded } from './page-not-loaded.js';
import {
  type FileKind,
  isDownload,
  mediaTypeOf,
  recogniseFile,
  textOfFile,
  type WebFile,
} from '../file/recognise-file.js';

/** The address leads to a download, or to a PDF that was sent as a page. */
export class LeadsToFile extends PageNotLoaded {
  constructor() {
    super('it is a download, not a page');
  }
}

type UnshownKind = Exclude<FileKind, { readonly kind: 'shown' }>;

/**
 * A file has arrived that the browser does not get: a PDF or a table, which the server reads, or a file that is
 * rejected.
 */
export class FileArrived extends Error {
  constructor(
    readonly file: WebFile,
    readonly found: UnshownKind,
  ) {
    super('A file has arrived.');
  }
}

const CHUNK_BYTES = 1_048_576;
/** The maximum size of a file that is sent to the browser: a larger one, as base64, does not fit into a message. */
const MAX_SHOWN_BYTES = 70_000_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODILESS = new Set([204, 205, 304]);
/** Headers that describe the body as it was sent, or that would prevent the browser from showing it. */
const BODY_HEADERS = /^(?:content-(?:disposition|encoding|length|type)|transfer-encoding)$/iu;

/**
 * Keeps a file that a browser would have saved from running scripts when it is shown. Sites mark files of their users
 * as downloads so that these cannot run scripts as pages of the site.
 */
const NO_SCRIPTS = { name: 'Content-Security-Policy', value: 'sandbox' };

const invalidRequest = (message: string) => new ServiceError('invalidRequest', message);

const tooLarge = (maxBytes: number) =>
  invalidRequest(
    `The file at this address has more than the ${(maxBytes / 1_000_000).toFixed(1)} MB that are read.`,
  );
const cutShort = () =>
  invalidRequest('The file at this address did not arrive whole: the server sent less than it said.');

const headerOf = ({ responseHeaders = [] }: PausedRequest, headerName: string) =>
  responseHeaders.find(({ name }) => name.toLowerCase() === headerName)?.value ?? '';

/** The body of a paused response. Throws a ServiceError if it is too large or does not arrive completely. */
async function bodyOf(
  { protocol }: BlankPage,
  pausedRequest: PausedRequest,
  maxBytes: number,
): Promise<Buffer> {
  const { stream } = await protocol.send('Fetch.takeResponseBodyAsStream', {
    requestId: pausedRequest.requestId,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await protocol.send('IO.read', {
        handle: stream,
        size: CHUNK_BYTES,
      });
      const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
      if (eof) break;
    }
  } catch (error) {
    throw error instanceof ProtocolError ? cutShort() : error;
  } finally {
    await protocol.send('IO.close', { handle: stream }).catch(() => undefined);
  }
  const stated = Number(headerOf(pausedRequest, 'content-length'));
  if (headerOf(pausedRequest, 'content-encoding') === '' && bytes < stated) throw cutShort();
  return Buffer.concat(chunks);
}

/**
 * A response with which the browser shows a file, even if it would otherwise save it. Throws a ServiceError if the body
 * of the response would exceed MAX_SHOWN_BYTES.
 */
function showFile(
  pausedRequest: PausedRequest,
  file: WebFile,
  mediaType: string,
  isText: boolean,
): ReplacementResponse {
  const isPage = /html|xml/u.test(mediaType) && mediaTypeOf(file) === mediaType;
  const type = isText ? 'text/plain; charset=utf-8' : isPage ? file.contentType : mediaType;
  const body = isText ? Buffer.from(textOfFile(file)) : file.body;
  if (body.length > MAX_SHOWN_BYTES) throw tooLarge(MAX_SHOWN_BYTES);
  // An SVG image that a browser would have saved, because it has no type of its own, must not run scripts either.
  const mayNotRun = isDownload(file) || (mediaType === 'image/svg+xml' && !isPage);
  const keptHeaders = (pausedRequest.responseHeaders ?? []).filter(({ name }) => !BODY_HEADERS.test(name));
  return {
    responseCode: file.status,
    responseHeaders: [
      ...keptHeaders,
      { name: 'Content-Type', value: type },
      ...(mayNotRun ? [NO_SCRIPTS] : []),
    ],
    body: body.toString('base64'),
  };
}

/**
 * Reads the documents of the main frame before the browser gets them. Pages, pictures and texts are shown; pictures and
 * texts even if they were sent as downloads. For any other file, `arrived` rejects with FileArrived; if a file cannot
 * be read or is too large, with an error that says so.
 */
export async function interceptFiles(
  blank: BlankPage,
  maxBytes: number,
): Promise<{ readonly arrived: Promise<never> }> {
  let onFile: (error: unknown) => void = () => undefined;
  const arrived = new Promise<never>((_resolve, reject) => (onFile = reject));
  arrived.catch(() => undefined);
  await blank.requests.replaceDocuments(async (pausedRequest) => {
    const { responseStatusCode: status, frameId, request } = pausedRequest;
    if (status === undefined || frameId !== blank.document.frameId) return undefined;
    if (BODILESS.has(status) || (REDIRECTS.has(status) && headerOf(pausedRequest, 'location') !== ''))
      return undefined;
    try {
      const file = {
        url: request.url,
        status,
        body: await bodyOf(blank, pausedRequest, maxBytes),
        contentType: headerOf(pausedRequest, 'content-type'),
        disposition: headerOf(pausedRequest, 'content-disposition'),
      };
      const found = recogniseFile(file);
      if (found.kind === 'shown') return showFile(pausedRequest, file, found.mediaType, found.isText);
      onFile(new FileArrived(file, found));
    } catch (error) {
      onFile(error);
    }
    return 'reject';
  });
  return { arrived };
}
