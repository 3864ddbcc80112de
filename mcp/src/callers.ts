/** Checks for a request before the protocol is loaded, which takes long. */
export { presentedKey } from './http/read-request.js';
export { crossOriginHeaders, foreignOrigin, PREFLIGHT_HEADERS } from './http/request-origin.js';
