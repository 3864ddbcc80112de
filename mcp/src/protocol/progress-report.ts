import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Sends progress to a client that asked for it, and does nothing for others. */
export function progressReport({ _meta, sendNotification }: RequestExtra): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that has gone no longer waits for the result either.
    sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => undefined);
  };
}
