/** Helpers for handling HTTP requests, exported separately so that importing them does not load the MCP libraries. */
export { presentedKey } from './http/read-request.js';
export { crossOriginHeaders, foreignOrigin, PREFLIGHT_HEADERS } from './http/request-origin.js';
