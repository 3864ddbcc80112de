import { ServiceError } from '../service-error.js';

const minCharacters = 32;
/** Of 32 random hexadecimal digits nearly all 30 runs of three differ; of a repeated word few do. */
const minDistinctTriples = 20;

/** Throws a ServiceError where a configured secret is too short or too regular to be one; never shows it. */
export function checkSecret(secret: string): void {
  const characters = [...secret];
  const triples = new Set(
    characters.slice(2).map((last, index) => characters.slice(index, index + 2).join('') + last),
  );
  if (characters.length >= minCharacters && triples.size >= minDistinctTriples) return;
  const problem =
    characters.length < minCharacters
      ? `has ${characters.length} characters and needs at least ${minCharacters}`
      : 'repeats itself too much to be hard to guess';
  throw new ServiceError(
    'invalidRequest',
    `The secret (SIGNPOST_SECRET) ${problem}. Set it to random characters, for example those that ` +
      '"openssl rand -base64 32" prints.',
  );
}
