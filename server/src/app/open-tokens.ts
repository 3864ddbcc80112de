import type { Clock } from '../platform/clock.js';
import type { OpenedInstallation } from './open-installation.js';
import type { RandomBytes } from '../platform/random.js';
import type { Throttle } from '../throttle/throttle.js';
import { createTokens, type Tokens } from '../tokens/tokens.js';

interface TokensDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly throttle: Throttle;
  /** The public address of the server, without a slash at the end. */
  readonly issuer: () => string;
}

/** The tokens of an installation, with a connection of their own that `close` ends. */
export async function openTokens(
  { storage, refreshTokenPepper, keyEncryptionKey }: OpenedInstallation,
  surroundings: TokensDeps,
): Promise<{ readonly tokens: Tokens; readonly close: () => Promise<void> }> {
  const queries = await storage.openPreparedQueries();
  const tokens = createTokens({
    ...surroundings,
    db: storage.db,
    queries,
    refreshTokenPepper,
    keyEncryptionKey,
  });
  return { tokens, close: () => queries.close() };
}
