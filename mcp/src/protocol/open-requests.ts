import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';

/** Tells when every request that came over a transport is answered or cancelled. */
export interface OpenRequests {
  /** Resolves when none is open, at once where that is so already. */
  idle(): Promise<void>;
}

/** Watches a transport that a server is connected to. */
export function watchOpenRequests(transport: Transport): OpenRequests {
  const open = new Set<unknown>();
  let onIdle: (() => void)[] = [];
  const close = (id: unknown) => {
    if (!open.delete(id) || open.size > 0) return;
    for (const resolve of onIdle) resolve();
    onIdle = [];
  };

  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      close(message.params?.requestId);
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) close(message.id);
  };
  return {
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}
