import type { ApiKeyOperationId } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import type { Tokens } from '../tokens/tokens.js';
import type { ReadUsage } from '../usage/usage-statistics.js';
import { autocompletePostcode } from './autocomplete-postcode.js';
import { capturePdf } from './capture-pdf.js';
import { captureScreenshot } from './capture-screenshot.js';
import type { CapturedAnswers } from './captured-answers.js';
import { findNearestPostcodes } from './find-nearest-postcodes.js';
import { findPostcodesInText } from './find-postcodes-in-text.js';
import { getDirectory } from './get-directory.js';
import { getOutcode } from './get-outcode.js';
import { getUsage } from './get-usage.js';
import { listAreaPostcodes } from './list-area-postcodes.js';
import { lookupPostcode } from './lookup-postcode.js';
import { lookupPostcodes } from './lookup-postcodes.js';
import { getTokenStatus } from './get-token-status.js';
import { measureDistance } from './measure-distance.js';
import type { AccessTokenCaller, BoundOperation, UnknownCaller } from './operation-handler.js';
import { readPage } from './read-page.js';
import { refreshToken } from './refresh-token.js';
import { reverseGeocode } from './reverse-geocode.js';
import { validatePostcode } from './validate-postcode.js';

/** What the operations of interface A work on. */
export interface Domain {
  readonly directories: DirectoryStore;
  readonly capture: Pick<CaptureQueue, 'reserve' | 'screenshot' | 'pdf' | 'content'>;
  readonly readUsage: ReadUsage;
  readonly answers: CapturedAnswers;
}

export type ApiKeyOperations = Readonly<Record<ApiKeyOperationId, BoundOperation>>;

/** Every operation of interface A with its handler. */
export function apiKeyOperations({ directories, capture, readUsage, answers }: Domain): ApiKeyOperations {
  const writer = new CurrentRecordWriter();
  // Made before the first request, which would wait for it.
  writer.of(directories.current().table);
  return {
    captureScreenshot: captureScreenshot(capture, answers),
    capturePdf: capturePdf(capture, answers),
    readPage: readPage(capture, answers),
    lookupPostcode: lookupPostcode(directories, writer),
    lookupPostcodes: lookupPostcodes(directories, writer),
    validatePostcode: validatePostcode(directories),
    findNearestPostcodes: findNearestPostcodes(directories, writer),
    autocompletePostcode: autocompletePostcode(directories),
    getOutcode: getOutcode(directories),
    listAreaPostcodes: listAreaPostcodes(directories),
    getDirectory: getDirectory(directories),
    measureDistance: measureDistance(directories),
    reverseGeocode: reverseGeocode(directories, writer),
    findPostcodesInText: findPostcodesInText(directories),
    getUsage: getUsage(readUsage),
  };
}

/** The operations of interface B by what their caller shows. */
export interface TokenOperations {
  readonly accessToken: Readonly<Record<'getTokenStatus', BoundOperation<AccessTokenCaller>>>;
  readonly body: Readonly<Record<'refreshToken', BoundOperation<UnknownCaller>>>;
}

/** Every operation of interface B with its handler. */
export const tokenOperations = (tokens: Tokens): TokenOperations => ({
  accessToken: { getTokenStatus: getTokenStatus() },
  body: { refreshToken: refreshToken(tokens) },
});
