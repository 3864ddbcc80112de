import type { FastifyReply } from 'fastify';

/** A signal that is aborted when the connection closes before the answer was written. */
export function abortWhenGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) look();
  else raw.once('close', look);
  return controller.signal;
}
