import type { KnownKey } from '../keys/key-finder.js';
import type { MeteredCall } from '../operations/metered-call.js';
import type { ServiceError } from '../platform/errors.js';
import type { VerifiedAccessToken } from '../tokens/access-token.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the request's key was found and its call counted. */
    meteredCall: MeteredCall | null;
    /** Set where the request's access token is valid. */
    verified: VerifiedAccessToken | null;
    /** Set where an MCP client sent a key that exists. */
    mcpKey: KnownKey | null;
    /** Whose key, token or session the request came with, for the log; set also where it is refused afterwards. */
    caller: { readonly keyId?: number; readonly accountId: string } | null;
    /** Why the request was refused or failed, for the log. */
    refusal: ServiceError | null;
  }
  interface FastifyContextConfig {
    /** The operation of the contract that the route answers. */
    operationId?: string;
    /** Whether what the route answers with a 5xx is logged by itself, and not each time. */
    logsItself?: boolean;
  }
}
