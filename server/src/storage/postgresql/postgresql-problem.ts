import { errorCode, ServiceError } from '../../platform/errors.js';

/** Where a database is, as it may be shown: without user and password. */
export function shownPlace(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const adviceByCode: Record<string, (place: string) => string> = {
  ECONNREFUSED: (place) => `No PostgreSQL answers at ${place}. Start it, or put SIGNPOST_DATABASE_URL right.`,
  ENOTFOUND: (place) => `The host of the database ${place} is not known. Put SIGNPOST_DATABASE_URL right.`,
  EAI_AGAIN: (place) => `The host of the database ${place} is not known. Put SIGNPOST_DATABASE_URL right.`,
  ETIMEDOUT: (place) =>
    `The PostgreSQL at ${place} does not answer. Look at the network between here and there.`,
  '28P01': (place) =>
    `The PostgreSQL at ${place} refuses user and password. Put those in SIGNPOST_DATABASE_URL right.`,
  '28000': (place) =>
    `The PostgreSQL at ${place} does not let this user in from here. Allow it in pg_hba.conf, or use another user.`,
  '3D000': (place) =>
    `There is no database ${place}. Make it, for example with: createdb --encoding UTF8 NAME`,
  '42501': (place) =>
    `The user of the database ${place} may not make tables there. Make it the owner of that database.`,
  '53300': (place) => `The PostgreSQL at ${place} has no connection left. Raise its max_connections.`,
  '53100': (place) => `The disk of the PostgreSQL at ${place} is full. Make room and try again.`,
  '57P03': (place) => `The PostgreSQL at ${place} is still starting. Try again in a moment.`,
  '25006': (place) =>
    `The database ${place} can only be read: it may be a standby. Set SIGNPOST_DATABASE_URL to the primary.`,
};

const TIMED_OUT = /timeout/iu;

/** The words for what can be wrong with reaching a database; an error of another kind comes back as it is. */
export function postgresqlProblem(url: string, thrown: unknown): unknown {
  const error = thrown instanceof ServiceError ? thrown.cause : thrown;
  // Not about the way to the database, and said in full.
  if (error === undefined) return thrown;
  const place = shownPlace(url);
  const isLate = error instanceof Error && TIMED_OUT.test(error.message);
  const advice = adviceByCode[errorCode(error)] ?? (isLate ? adviceByCode['ETIMEDOUT'] : undefined);
  return advice === undefined ? thrown : new ServiceError('internal', advice(place), { cause: error });
}
