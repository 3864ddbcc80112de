import type { DatabasePlace } from './open-storage.js';
import { postgresqlProblem } from './postgresql/problem.js';
import { sqliteProblem } from './sqlite/problem.js';

/** The words for what can be wrong with a database; an error that is not about it comes back as it is. */
export const storageProblem = (place: DatabasePlace, error: unknown): unknown =>
  'url' in place ? postgresqlProblem(place.url, error) : sqliteProblem(place.file, error);
