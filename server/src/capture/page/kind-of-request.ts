import type { BrowserKind } from '../browser/browser-kind.js';
import { hasCredentials } from './page-credentials.js';
import type { PageRequest } from './page-request.js';

/**
 * The kind of browser that a capture needs. A page with credentials does not share a process with frames of other
 * sites.
 */
export function kindOf(request: PageRequest): BrowserKind {
  if (request.steps !== undefined) return 'steps';
  return hasCredentials(request) ? 'isolated' : 'plain';
}
