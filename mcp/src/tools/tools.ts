import { autocompletePostcode } from './autocomplete-postcode.js';
import { capturePdf, capturePdfToFile } from './capture-pdf.js';
import { captureScreenshot, captureScreenshotToFile } from './capture-screenshot.js';
import { findNearestPostcodes } from './find-nearest-postcodes.js';
import { getUsage } from './get-usage.js';
import { lookupPostcode } from './lookup-postcode.js';
import { lookupPostcodes } from './lookup-postcodes.js';
import type { Tool } from './tool.js';
import { validatePostcode } from './validate-postcode.js';

const postcodeTools = [
  lookupPostcode,
  lookupPostcodes,
  validatePostcode,
  findNearestPostcodes,
  autocompletePostcode,
] as const;

/** Every tool, for callers who cannot reach files that this process writes. */
export const toolsWithoutFiles: readonly Tool[] = [...postcodeTools, captureScreenshot, capturePdf, getUsage];

/** Every tool, captures saving files into the output folder. */
export const toolsWithFiles: readonly Tool[] = [
  ...postcodeTools,
  captureScreenshotToFile,
  capturePdfToFile,
  getUsage,
];
