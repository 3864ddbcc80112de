import { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { DAY_MS, HOUR_MS } from '../platform/time-units.js';
import type { OAuthClientRow } from '../storage/oauth-rows.js';
import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import { type OAuthClient, readClientMetadata } from './client.js';
import { OAuthError } from './oauth-error.js';

const ID_LENGTH = 20;
const ID = /^client_\w+$/u;
const REGISTRATIONS_AN_HOUR = 20;
/** How many clients that nobody has connected yet are kept. If there are more, the oldest of them are removed. */
const MAX_UNUSED = 1_000;
const UNUSED_KEPT_MS = DAY_MS;
const USED_KEPT_MS = 90 * DAY_MS;

export interface RegisteredClientsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly throttle: Throttle;
}

const clients = (db: Database) => db<OAuthClientRow>('oauth_clients');
const unusedClients = (db: Database) => clients(db).whereNull('used_at');

const redirectUris = z.array(z.string());

/**
 * Removes clients that nobody connected for a day after they registered, and those that have no connection and were not
 * used for 90 days.
 */
export async function removeOldClients(db: Database, nowMs: number): Promise<void> {
  await unusedClients(db)
    .where('created_at', '<', nowMs - UNUSED_KEPT_MS)
    .delete();
  await clients(db)
    .where('used_at', '<', nowMs - USED_KEPT_MS)
    .whereNotIn('id', db('oauth_connections').select('client_id'))
    .delete();
}

async function removeSurplus(db: Database): Promise<void> {
  const counts = await unusedClients(db).count({ clients: '*' });
  const surplus = Number(counts[0]?.['clients'] ?? 0) - MAX_UNUSED;
  if (surplus <= 0) return;
  const oldest = unusedClients(db).orderBy(['created_at', 'id']).limit(surplus).select('id');
  await clients(db).whereIn('id', oldest).delete();
}

/** The error for a removed or unknown client. */
export const unknownClient = () =>
  new OAuthError(
    'invalid_client',
    'The assistant is not known here: it did not register, or longer ago than this server remembers. Remove this server there and add it again.',
  );

/** Throws if a client_id has the form of a registered client's, but there is no such client. */
export async function checkRegistered(db: Database, id: string): Promise<void> {
  if (ID.test(id) && (await clients(db).where({ id }).first('id')) === undefined) throw unknownClient();
}

/** Creates the store of programs that registered themselves (RFC 7591). */
export const createRegisteredClients = ({ db, clock, randomBytes, throttle }: RegisteredClientsDeps) => ({
  /** Registers a client. Throws if its metadata is not valid, or too many register from its address. */
  async register(metadata: unknown, address: string): Promise<OAuthClient> {
    const { name, redirectUris: uris } = readClientMetadata(metadata);
    const subject = `register ${throttle.addressSubject(address)}`;
    await throttle.take([{ subject, maxTries: REGISTRATIONS_AN_HOUR, windowMs: HOUR_MS }]);
    const id = `client_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`;
    const created = { created_at: clock(), used_at: null };
    await clients(db).insert({ id, name, redirect_uris: JSON.stringify(uris), ...created });
    await removeSurplus(db);
    return { id, name, host: null, redirectUris: uris };
  },

  async find(id: string): Promise<OAuthClient | undefined> {
    if (!ID.test(id)) return undefined;
    const row: OAuthClientRow | undefined = await clients(db).where({ id }).first();
    if (row === undefined) return undefined;
    const uris = redirectUris.parse(JSON.parse(row.redirect_uris));
    return { id, name: row.name, host: null, redirectUris: uris };
  },
});

/** Stores when registered clients were last used. Called when a connection of theirs begins or ends. */
export const markClientsUsed = async (db: Database, ids: readonly string[], nowMs: number): Promise<void> => {
  await clients(db).whereIn('id', ids).update({ used_at: nowMs });
};
