import type { KnownKey } from '../keys/key-finder.js';
import type { MeteredCall } from '../operations/metered-call.js';
import type { ServiceError } from '../platform/errors.js';
import type { VerifiedAccessToken } from '../tokens/access-token.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request's key was found and its call admitted. */
    meteredCall: MeteredCall | null;
    /** Set if a request of interface B has a valid access token in its header. */
    verified: VerifiedAccessToken | null;
    /**
     * Set if an MCP client sent a key that exists, or a valid token of a connection. Null again if the key turns out
     * not to work.
     */
    mcpKey: KnownKey | null;
    /** The owner of the request's key, token or session. Also set if the request is rejected later. */
    caller: { readonly keyId?: number; readonly accountId: string } | null;
    /** Why the request was refused or failed. */
    rejection: ServiceError | null;
  }
  interface FastifyContextConfig {
    /** The operation of the contract that the route serves, or "mcp". */
    operationId?: string;
    /** Set if the route logs its own 5xx responses, so that the hook at the end of requests does not log them. */
    logsItself?: boolean;
  }
}
