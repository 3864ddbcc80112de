import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { errorCode, meaningOf, ServiceError } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../storage/storage.js';
import { agreeOnIssuer, storeIssuer } from '../tokens/tokens.js';
import type { Config } from './config.js';
import { localUrl } from './local-url.js';

/** The origins of pages that may call `/mcp`; "*" stands for all. */
export const allowedOrigins = ({
  publicUrl,
  mcp,
}: Pick<Config, 'publicUrl'> & { readonly mcp: Pick<Config['mcp'], 'origins'> }): readonly string[] => [
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]),
  ...mcp.origins,
];

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'End that program, or set SIGNPOST_PORT to a free port.',
  EACCES: 'Set SIGNPOST_PORT to a port of 1024 or above.',
};

const HOST_ADVICE = 'Set SIGNPOST_HOST to a name or an address of this machine.';
const ABOUT_THE_HOST: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Turns an expected failure to listen into an error that says what to change. Returns any other error as it is. */
function listenProblem(error: unknown, { host, port }: Config): unknown {
  const code = errorCode(error);
  // For EINVAL, the system's own message only says that something is invalid.
  const why =
    code === 'EINVAL'
      ? 'a link-local address needs its network interface, as in "fe80::1%eth0"'
      : meaningOf(error);
  if (why === undefined) return error;
  const advice = LISTEN_ADVICE[code] ?? (ABOUT_THE_HOST.has(code) ? HOST_ADVICE : undefined);
  if (advice === undefined) return error;
  return new ServiceError('internal', `Cannot listen on ${host}, port ${port}: ${why}. ${advice}`, {
    cause: error,
  });
}

const portOf = (address: AddressInfo | string | null, configured: number) =>
  typeof address === 'object' && address !== null ? address.port : configured;

/** Makes a server listen. Returns the URL at which this machine can reach it. */
export async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config;
  await server.listen({ host, port }).catch((error: unknown) => {
    throw listenProblem(error, config);
  });
  return localUrl(host, portOf(server.server.address(), port));
}

/**
 * Chooses and stores the issuer of tokens, once the server listens: the configured public address, or else `ownUrl`. On
 * PostgreSQL without a configured public address, an issuer that is already stored goes before `ownUrl`.
 */
export async function chooseIssuer(
  db: Database,
  { publicUrl, databaseUrl }: Config,
  ownUrl: string,
  log: Log,
): Promise<string> {
  if (publicUrl !== undefined || databaseUrl === undefined) {
    await storeIssuer(db, publicUrl ?? ownUrl);
    return publicUrl ?? ownUrl;
  }
  const issuer = await agreeOnIssuer(db, ownUrl);
  if (issuer !== ownUrl) {
    log.warn(
      { issuer },
      'Tokens name the server that started first, because no public address is set. Set SIGNPOST_PUBLIC_URL to the same address on all servers.',
    );
  }
  return issuer;
}
