import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { reasonOf, ServiceError } from '../../platform/errors.js';
import { trustedCertificates } from '../../platform/outbound/trusted-certificates.js';
import { suggest } from '../../platform/suggestions.js';

/**
 * How the connection is encrypted, and what is verified about the server. `require` verifies as much as
 * `verify-full`.
 */
const TLS_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type TlsMode = (typeof TLS_MODES)[number];

const FILE_PARAMETERS = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
const TLS_PARAMETERS: readonly string[] = ['sslmode', ...Object.values(FILE_PARAMETERS)];
const PARAMETERS = [...TLS_PARAMETERS, 'application_name'];

const isTlsMode = (text: string): text is TlsMode => TLS_MODES.some((mode) => mode === text);

const list = (words: readonly string[]) => words.join(', ');

/** The problem with the parameters of a database URL, without their values; undefined if there is none. */
export function parameterProblem({ searchParams }: URL): string | undefined {
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    const similar = suggest(unknown, PARAMETERS);
    const hint = similar === undefined ? '' : `: did you mean "${similar}"?`;
    return `may have the parameters ${list(PARAMETERS)}, and not "${unknown}"${hint}`;
  }
  const mode = searchParams.get('sslmode');
  if (mode !== null && !isTlsMode(mode)) return `must have as sslmode one of ${list(TLS_MODES)}`;
  const files = Object.values(FILE_PARAMETERS).filter((name) => searchParams.has(name));
  if (mode === 'disable' && files.length > 0)
    return `names ${list(files)}, which sslmode=disable does not use`;
  if (searchParams.has('sslcert') !== searchParams.has('sslkey'))
    return 'must name sslcert and sslkey, or neither';
  return undefined;
}

/** A parameter that `addExtraCaFile` adds, and that `parameterProblem` rejects in a configured URL. */
const EXTRA_CA_PARAMETER = 'signpostextraca';

/**
 * Adds a file of certificates to a database URL. Connections with TLS then also trust these certificates, unless the
 * URL names others with `sslrootcert`. Returns the URL unchanged if there is no file.
 */
export function addExtraCaFile(
  text: string | undefined,
  extraCaFile: string | undefined,
): string | undefined {
  if (text === undefined || extraCaFile === undefined) return text;
  const url = new URL(text);
  url.searchParams.set(EXTRA_CA_PARAMETER, extraCaFile);
  return url.href;
}

async function readPem(name: string, path: string | null): Promise<string | undefined> {
  if (path === null) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ServiceError(
      'internal',
      `The file ${path}, which ${name} in SIGNPOST_DATABASE_URL names, cannot be read: ${reasonOf(error)}. Put it there, readable by this user, or name another file.`,
      { cause: error },
    );
  }
}

/**
 * Throws a ServiceError if `ca` or `cert` is given but is not a certificate, or if `key` is not the key of `cert`.
 * Without this check at startup, the driver would notice that only when it connects, and would never notice a `ca`
 * without certificates.
 */
function requireCertificates(
  pem: Pick<ConnectionOptions, 'cert' | 'key'> & { readonly ca: string | undefined },
): void {
  try {
    if (pem.ca !== undefined) new X509Certificate(pem.ca);
    createSecureContext(pem);
  } catch (error) {
    throw new ServiceError(
      'internal',
      'The files that SIGNPOST_DATABASE_URL names are not what they must be: sslrootcert and sslcert certificates, sslkey ' +
        'the key of sslcert without a passphrase, all of them in PEM.',
      { cause: error },
    );
  }
}

async function tlsOf({ searchParams }: URL): Promise<ConnectionOptions | false | undefined> {
  if (!TLS_PARAMETERS.some((name) => searchParams.has(name))) return undefined;
  const mode = searchParams.get('sslmode') ?? 'verify-full';
  if (mode === 'disable') return false;
  const pem = {
    ca:
      (await readPem(FILE_PARAMETERS.ca, searchParams.get(FILE_PARAMETERS.ca))) ??
      trustedCertificates(searchParams.get(EXTRA_CA_PARAMETER) ?? undefined)?.join('\n'),
    cert: await readPem(FILE_PARAMETERS.cert, searchParams.get(FILE_PARAMETERS.cert)),
    key: await readPem(FILE_PARAMETERS.key, searchParams.get(FILE_PARAMETERS.key)),
  };
  requireCertificates(pem);
  return {
    ...pem,
    rejectUnauthorized: mode !== 'no-verify',
    // Any certificate signed by the right authority is accepted, whatever host name it has.
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

/**
 * Converts a database URL to settings for the driver. Reads the files that the URL names. Throws a ServiceError if they
 * cannot be read or are not certificates and keys.
 */
export async function connectionOf(text: string) {
  const url = new URL(text);
  const ssl = await tlsOf(url);
  // These parameters are removed from the URL, because the driver interprets some of them differently.
  for (const name of [...TLS_PARAMETERS, EXTRA_CA_PARAMETER]) url.searchParams.delete(name);
  return { connectionString: url.href, ...(ssl === undefined ? {} : { ssl }) };
}
