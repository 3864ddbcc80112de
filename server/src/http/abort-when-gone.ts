import type { FastifyReply } from 'fastify';

/** A signal that is aborted when the connection closes before the answer was written. */
export function abortWhenGone({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { socket } = request.raw;
  const look = () => {
    raw.off('close', look);
    socket.off('close', look);
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed || socket.destroyed) {
    look();
    return controller.signal;
  }
  raw.once('close', look);
  // An answer that waits behind another's has no socket yet, and never hears of its end. Several may wait.
  socket.setMaxListeners(0).once('close', look);
  return controller.signal;
}
