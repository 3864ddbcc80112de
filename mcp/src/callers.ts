/** Functions and headers for HTTP requests, exported separately because the protocol takes long to load. */
export { presentedKey } from './http/read-request.js';
export { crossOriginHeaders, foreignOrigin, PREFLIGHT_HEADERS } from './http/request-origin.js';
