/** What a server asks about a request before it loads the protocol, which takes long. */
export { presentedKey } from './http/read-request.js';
export { crossOriginHeaders, foreignOrigin, PREFLIGHT_HEADERS } from './http/request-origin.js';
