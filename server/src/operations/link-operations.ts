import { type CreateCaptureLinkRequest, type LinkedOperation, operations } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';
import { parseRequest } from './invalid-request.js';
import { bind } from './operation-handler.js';

/** Stores a link. Returns its address and when it expires. */
export type MakeLink = (
  keyId: number,
  request: CreateCaptureLinkRequest,
) => Promise<{ readonly url: string; readonly expiresAtMs: number }>;

/** Throws a ServiceError if the request that a link is to repeat does not match the schema of its operation. */
function checkLinked(operation: LinkedOperation, request: unknown): void {
  try {
    parseRequest(operations[operation].request, request);
  } catch (error) {
    if (error instanceof ServiceError) throw new ServiceError(error.kind, `In "request": ${error.message}`);
    throw error;
  }
}

/** The operation that makes links to captures. */
export const linkOperations = (makeLink: MakeLink) => ({
  createCaptureLink: bind(operations.createCaptureLink, async (request, { admission }) => {
    checkLinked(request.operation, request.request);
    const { url, expiresAtMs } = await makeLink(admission.keyId, request);
    return { value: { url, expiresAt: new Date(expiresAtMs).toISOString() } };
  }),
});
