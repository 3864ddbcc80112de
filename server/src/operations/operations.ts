import type { ApiKeyOperationId } from '@signpost/contract';
import type { CaptureService } from '../capture/capture-service.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { ReadUsage } from '../usage/usage-statistics.js';
import { autocompletePostcode } from './autocomplete-postcode.js';
import { capturePdf } from './capture-pdf.js';
import { captureScreenshot } from './capture-screenshot.js';
import { findNearestPostcodes } from './find-nearest-postcodes.js';
import { getUsage } from './get-usage.js';
import { lookupPostcode } from './lookup-postcode.js';
import { lookupPostcodes } from './lookup-postcodes.js';
import type { BoundOperation } from './operation-handler.js';
import { validatePostcode } from './validate-postcode.js';

/** What the operations of interface A work on. */
export interface Domain {
  readonly directories: DirectoryStore;
  readonly capture: CaptureService;
  readonly readUsage: ReadUsage;
}

export type ApiKeyOperations = Readonly<Record<ApiKeyOperationId, BoundOperation>>;

/** Every operation of interface A with its handler. */
export const apiKeyOperations = ({ directories, capture, readUsage }: Domain): ApiKeyOperations => ({
  captureScreenshot: captureScreenshot(capture),
  capturePdf: capturePdf(capture),
  lookupPostcode: lookupPostcode(directories),
  lookupPostcodes: lookupPostcodes(directories),
  validatePostcode: validatePostcode(directories),
  findNearestPostcodes: findNearestPostcodes(directories),
  autocompletePostcode: autocompletePostcode(directories),
  getUsage: getUsage(readUsage),
});
