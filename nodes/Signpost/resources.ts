import { contractResources } from '../shared/contract-operations';
import { capturePdf, captureScreenshot, readPage } from './capture/capture-operations';
import { createCaptureLink } from './capture/make-link';
import { listAreaPostcodes } from './postcode/area';
import { findPostcodesInText } from './postcode/find-in-text';
import { autocompletePostcode, findNearestPostcodes } from './postcode/searches';
import { measureDistance } from './postcode/measure-distance';
import { reverseGeocode } from './postcode/reverse-geocode';
import { lookupPostcode } from './postcode/look-up';
import { lookupPostcodes } from './postcode/look-up-many';
import { getUsage } from './usage';

/** The resources and operations of the node Signpost. */
export const resources = contractResources('A', {
  autocompletePostcode,
  capturePdf,
  captureScreenshot,
  createCaptureLink,
  findNearestPostcodes,
  findPostcodesInText,
  getUsage,
  listAreaPostcodes,
  lookupPostcode,
  lookupPostcodes,
  measureDistance,
  readPage,
  reverseGeocode,
});
