import type { BrowserKind } from '../browser/browser-kind.js';
import { hasCredentials } from './page-credentials.js';
import type { PageRequest } from './page-request.js';

/**
 * The kind of browser that a capture needs. In local browsers, a page with credentials or steps does not share a
 * process with frames of other sites.
 */
export function kindOf(request: PageRequest): BrowserKind {
  if (request.steps !== undefined) return 'steps';
  return hasCredentials(request) ? 'isolated' : 'plain';
}
