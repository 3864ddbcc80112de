import { Readable } from 'node:stream';
import { CAPTURE_LINKS_PATH } from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedLink, OpenedLinks } from '../../operations/opened-links.js';
import type { RejectionLimit } from '../auth/rejection-limit.js';
import type { StrangerBudget } from '../auth/stranger-budget.js';
import { toServiceError } from '../errors.js';
import { FOR_ALL_SITES, sendLinkProblem } from './link-problem.js';
import '../request-state.js';

/**
 * Keeps a capture that is opened as a page from running scripts, and from loading anything from other servers. The PDF
 * viewers of browsers need inline styles, and <object> or <embed> from this server. Any site may show the capture in a
 * frame.
 */
const POLICY =
  "default-src 'none'; object-src 'self'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'capture.pdf',
  'image/jpeg': 'capture.jpg',
  'image/webp': 'capture.webp',
};

const headersOf = ({ captureId, mediaType, capturedAtMs, freshSeconds }: OpenedLink) => ({
  ...FOR_ALL_SITES,
  'Content-Type': mediaType,
  'Content-Disposition': `inline; filename="${NAMES[mediaType] ?? 'capture.png'}"`,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': `public, max-age=${freshSeconds}`,
  ETag: `"${captureId}"`,
  'Last-Modified': new Date(capturedAtMs).toUTCString(),
});

/** At most this many links are opened in one turn of the event loop: a link takes less time than a page. */
const LINKS_PER_TURN = 4;

/** Whether If-None-Match has this capture, or `*`. */
function clientHas({ headers }: FastifyRequest, captureId: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return tags.includes('*') || tags.includes(`"${captureId}"`);
}

interface LinkRouteDeps {
  readonly links: Pick<OpenedLinks, 'open'>;
  readonly rejectionLimit: RejectionLimit;
  readonly strangers: Pick<StrangerBudget, 'awaitStart'>;
}

/** GET and HEAD /c/TOKEN: a capture, for anyone who has the link. Needs no key. */
export function addLinkRoute(
  server: FastifyInstance,
  { links, rejectionLimit, strangers }: LinkRouteDeps,
): void {
  const open = async (
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    try {
      await strangers.awaitStart(LINKS_PER_TURN);
      const opened = await links.open(request.params.token, {
        requestId: request.id,
        needsBody: (captureId) => request.method !== 'HEAD' && !clientHas(request, captureId),
      });
      const { captureId, bytes, body = [] } = opened;
      void reply.headers(headersOf(opened));
      if (clientHas(request, captureId)) return await reply.code(304).send();
      void reply.header('Content-Length', bytes);
      return await reply.send(Buffer.isBuffer(body) ? body : Readable.from(body));
    } catch (error) {
      const rejection = toServiceError(error);
      // An unknown link counts against the address like a wrong key, to slow down guessing. Links that exist do not
      // count.
      const sent = rejection.kind === 'notFound' ? (rejectionLimit.add(request.ip) ?? rejection) : rejection;
      request.rejection = sent;
      return sendLinkProblem(reply, request.headers.accept ?? '', sent);
    }
  };
  server.get<{ Params: { token: string } }>(`${CAPTURE_LINKS_PATH}/:token`, open);
}
