import { createSecretKey, type KeyObject } from 'node:crypto';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { secretFingerprint } from './installation.js';
import { createSecretFile, nextSecretFile, readSecretFile, secretFileIn } from './secret-file.js';

const MIN_CHARACTERS = 32;
/**
 * A secret with fewer different triples of adjacent characters is rejected. In a random secret of 32 hexadecimal
 * digits, nearly all of the 30 triples differ; in a repeated word, few do.
 */
const MIN_DISTINCT_TRIPLES = 20;

function problemOf(secret: string): string | undefined {
  const characters = [...secret];
  if (secret === '') return `is empty and needs at least ${MIN_CHARACTERS} characters`;
  if (characters.length < MIN_CHARACTERS) {
    return `has ${characters.length} characters and needs at least ${MIN_CHARACTERS}`;
  }
  const triples = new Set(
    characters.slice(2).map((last, index) => characters.slice(index, index + 2).join('') + last),
  );
  if (triples.size < MIN_DISTINCT_TRIPLES) return 'repeats itself too much to be hard to guess';
  return secret.includes('\0') ? 'is not plain text' : undefined;
}

/**
 * Parses a secret, in the same way from a variable and from a file: removes surrounding white space and converts CRLF
 * to LF. Throws a ServiceError with the message that `rejection` returns if the secret is too short, repeats itself too
 * much or contains NUL. `rejection` gets the problem, which does not show the secret.
 */
function parseSecret(text: string, rejection: (problem: string) => string): string {
  const secret = text.replaceAll('\r\n', '\n').trim();
  const problem = problemOf(secret);
  if (problem !== undefined) throw new ServiceError('invalidRequest', rejection(problem));
  return secret;
}

/** The secret itself, or the file that contains it. */
export type ConfiguredSecret = string | { readonly file: string };

/** The name of the variable that configured the secret. */
export const secretVariable = (configured: ConfiguredSecret): string =>
  typeof configured === 'string' ? 'SIGNPOST_SECRET' : 'SIGNPOST_SECRET_FILE';

/** Says which secret has to be kept beside a backup. Completes a sentence that begins with "keep". */
export const secretToKeep = (configured: ConfiguredSecret | undefined, dataDir: string): string =>
  typeof configured === 'string'
    ? 'what SIGNPOST_SECRET is set to'
    : `a copy of ${configured?.file ?? secretFileIn(dataDir)}`;

interface SecretOptions {
  /** If missing, the file `secret` in the data folder contains the secret. */
  readonly configured?: ConfiguredSecret | undefined;
  readonly dataDir: string;
  /** The fingerprint of the database's secret; undefined for a new database. Only then may a secret be created. */
  readonly fingerprint: string | undefined;
  readonly randomBytes: RandomBytes;
}

interface LoadedSecret {
  /** The secret as a key object, whose value appears neither in logs nor in JSON. */
  readonly secret: KeyObject;
  readonly warnings: readonly string[];
}

const EXAMPLE = 'random characters, for example those that "openssl rand -base64 32" prints.';
const groupAndOthers = 0o077;
/**
 * Permissions that cause a warning for the file of SIGNPOST_SECRET_FILE. The right to read it causes none, because
 * container engines often mount files readable by all users of the container.
 */
const writableByGroupAndOthers = 0o022;

const asKey = (text: string) => createSecretKey(Buffer.from(text, 'utf8'));

/**
 * Converts a secret to a key object. Earlier versions treated white space around a secret as a part of it; if the
 * database was set up with such a secret, the white space still counts. Throws the ServiceError of `parseSecret`.
 */
function keyOf(
  text: string,
  fingerprint: string | undefined,
  rejection: (problem: string) => string,
): KeyObject {
  const key = asKey(parseSecret(text, rejection));
  if (fingerprint === undefined || secretFingerprint(key) === fingerprint) return key;
  const asWritten = asKey(text);
  return secretFingerprint(asWritten) === fingerprint ? asWritten : key;
}

async function loadNamedFile(path: string, fingerprint: string | undefined): Promise<LoadedSecret> {
  const file = await readSecretFile(path);
  if (file === undefined) {
    throw new ServiceError(
      'invalidRequest',
      // The message does not repeat the name, because it may be the secret itself in the wrong variable.
      'The file that SIGNPOST_SECRET_FILE names is not there. Put the secret there, or name another file.',
    );
  }
  const secret = keyOf(
    file.text,
    fingerprint,
    (problem) => `The secret in the file ${path} (SIGNPOST_SECRET_FILE) ${problem}. Put ${EXAMPLE}`,
  );
  const isOpen = (file.mode & writableByGroupAndOthers) !== 0;
  const warnings = isOpen
    ? [`Other users of this machine can change the secret file ${path}. Run: chmod go-w ${path}`]
    : [];
  return { secret, warnings };
}

/** Throws a ServiceError if a replacement of the secret has changed the database, but not yet the file. */
async function rejectHalfReplaced(path: string, fingerprint: string): Promise<void> {
  const next = nextSecretFile(path);
  const file = await readSecretFile(next);
  if (file === undefined || secretFingerprint(asKey(file.text.trim())) !== fingerprint) return;
  throw new ServiceError(
    'internal',
    `A replacement of the secret was interrupted. The database already uses the new secret, which is in ${next}. Put it in place: mv ${next} ${path}`,
  );
}

async function loadOwnFile({ dataDir, fingerprint, randomBytes }: SecretOptions): Promise<LoadedSecret> {
  const path = secretFileIn(dataDir);
  let file = await readSecretFile(path);
  if (file === undefined && fingerprint === undefined) {
    await createSecretFile(path, randomBytes);
    file = await readSecretFile(path);
  }
  if (file === undefined) {
    throw new ServiceError(
      'internal',
      `The secret that this database was set up with is missing. Put the file ${path} back from a backup, or set ` +
        'SIGNPOST_SECRET or SIGNPOST_SECRET_FILE if it was configured.',
    );
  }
  const secret = keyOf(
    file.text,
    fingerprint,
    (problem) =>
      `The secret file ${path} does not hold a secret any more: what is in it ${problem}. Put it back from a backup: ` +
      'without it the keys in the database cannot be checked.',
  );
  if (fingerprint !== undefined && secretFingerprint(secret) !== fingerprint) {
    await rejectHalfReplaced(path, fingerprint);
  }
  const isOpen = (file.mode & groupAndOthers) !== 0;
  const warnings = isOpen
    ? [`Other users of this machine can read or change the secret file ${path}. Run: chmod 600 ${path}`]
    : [];
  return { secret, warnings };
}

/**
 * Finds the installation's secret, or creates it if the database is new and no secret is configured. Throws a
 * ServiceError that says what to do if the secret is missing, cannot be read or is not valid, or if its replacement was
 * interrupted. May return a secret to which the database is not tied: the caller must check that.
 */
export async function loadSecret(options: SecretOptions): Promise<LoadedSecret> {
  const { configured, fingerprint } = options;
  if (configured === undefined) return loadOwnFile(options);
  if (typeof configured !== 'string') return loadNamedFile(configured.file, fingerprint);
  const secret = keyOf(
    configured,
    fingerprint,
    (problem) => `The secret (SIGNPOST_SECRET) ${problem}. Set it to ${EXAMPLE}`,
  );
  return { secret, warnings: [] };
}

/**
 * Reads the secret that will replace the current one. Throws a ServiceError if the file is missing, cannot be read or
 * does not contain a valid secret.
 */
export async function readNewSecret(
  path: string,
): Promise<{ readonly secret: KeyObject; readonly text: string }> {
  const file = await readSecretFile(path);
  if (file === undefined) {
    throw new ServiceError(
      'invalidRequest',
      `There is no file ${path} with a new secret. Make it, for example: (umask 077; openssl rand -base64 32 > ${path})`,
    );
  }
  const rejection = (problem: string) => `The new secret in the file ${path} ${problem}. Put ${EXAMPLE}`;
  const text = parseSecret(file.text, rejection);
  return { secret: asKey(text), text };
}
