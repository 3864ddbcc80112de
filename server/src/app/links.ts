import type { Actor } from '../audit/audit.js';
import { createLink } from '../links/create-link.js';
import { linkUrl } from '../links/link.js';
import type { MakeLink } from '../operations/link-operations.js';
import type { MeteredCalls } from '../operations/metered-call.js';
import { OpenedLinks } from '../operations/opened-links.js';
import type { ApiKeyOperations } from '../operations/operations.js';
import { createLinkSealer, type LinkSealer } from '../tokens/encryption-key.js';
import type { Config } from './config.js';
import type { AppDeps, Core } from './core.js';

/** The actor in the audit for what a program with an API key does. `createLink` adds the account of the key. */
const API_ACTOR: Actor = { accountId: null, address: null, via: 'api' };

type LinksCore = Pick<Core, 'installation' | 'audit' | 'queries'>;

/** The sealer that encrypts and decrypts the capture requests stored with links. */
export const linkSealerOf = (
  { installation: { keyEncryptionKey, clock } }: Pick<Core, 'installation'>,
  { randomBytes }: Pick<AppDeps, 'randomBytes'>,
): LinkSealer => createLinkSealer({ keyEncryptionKey, clock, randomBytes });

/** Returns the function that makes links to captures. Their addresses begin with `publicUrl()`. */
export const linkMaker =
  (core: LinksCore, deps: Pick<AppDeps, 'randomBytes'>, publicUrl: () => string): MakeLink =>
  async (keyId, request) => {
    const { installation, audit } = core;
    const { storage, clock } = installation;
    const { token, expiresAtMs } = await createLink(
      {
        db: storage.db,
        clock,
        audit,
        actor: API_ACTOR,
        randomBytes: deps.randomBytes,
        linkSealer: linkSealerOf(core, deps),
      },
      { keyId, ...request },
    );
    return { url: linkUrl(publicUrl(), token), expiresAtMs };
  };

interface LinkCalls {
  readonly calls: MeteredCalls;
  readonly operations: ApiKeyOperations;
}

/**
 * Creates the part of a server that opens links to captures. `calls` counts each capture of a link against the limits
 * of the key that made the link.
 */
export function openLinks(
  core: LinksCore,
  deps: Pick<AppDeps, 'randomBytes' | 'monotonicMs' | 'pause' | 'log'>,
  { calls, operations }: LinkCalls,
  { capture: { timeoutMs: captureTimeoutMs } }: Pick<Config, 'capture'>,
): OpenedLinks {
  const { storage, clock } = core.installation;
  const { randomBytes, monotonicMs, pause, log } = deps;
  return new OpenedLinks({
    db: storage.db,
    queries: core.queries,
    sharesDatabase: storage.dialect === 'postgresql',
    clock,
    monotonicMs,
    randomBytes,
    pause,
    log,
    calls,
    operations,
    captureTimeoutMs,
    linkSealer: linkSealerOf(core, deps),
  });
}
