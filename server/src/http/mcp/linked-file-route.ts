import { Readable } from 'node:stream';
import { LINKED_FILE_GONE, LINKED_FILES_PATH, linkedFileHeaders } from '@signpost/contract';
import type { FastifyInstance } from 'fastify';
import type { LinkedFiles } from '../../files/linked-files.js';
import { ServiceError } from '../../platform/errors.js';
import type { StrangerBudget } from '../auth/stranger-budget.js';

/**
 * GET /files/TOKEN: a file that an MCP tool returned, for anyone who has its address. Counts against the budget of the
 * client's address, not against a key.
 */
export function addLinkedFileRoute(
  server: FastifyInstance,
  { open }: Pick<LinkedFiles, 'open'>,
  strangers: StrangerBudget,
): void {
  const path = `${LINKED_FILES_PATH}/:token`;
  server.get<{ Params: { token: string } }>(path, { onRequest: strangers.check }, async (request, reply) => {
    const file = await open(request.params.token);
    if (file === undefined) throw new ServiceError('notFound', LINKED_FILE_GONE);
    const { name, mediaType, bytes, chunks } = file;
    return reply
      .headers({ ...linkedFileHeaders(name, mediaType), 'Content-Length': bytes })
      .send(Readable.from(chunks));
  });
}
