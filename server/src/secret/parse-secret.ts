import { ServiceError } from '../service-error.js';

const minCharacters = 32;
/** Of 32 random hexadecimal digits nearly all 30 runs of three differ; of a repeated word few do. */
const minDistinctTriples = 20;

function problemOf(secret: string): string | undefined {
  const characters = [...secret];
  if (characters.length < minCharacters) {
    return `has ${characters.length} characters and needs at least ${minCharacters}`;
  }
  const triples = new Set(
    characters.slice(2).map((last, index) => characters.slice(index, index + 2).join('') + last),
  );
  if (triples.size < minDistinctTriples) return 'repeats itself too much to be hard to guess';
  return secret.includes('\0') ? 'is not plain text' : undefined;
}

/**
 * The secret that a text holds, the same whether a variable or a file held it: white space around it and the kind of its
 * line ends are no part of it. Throws a ServiceError where it is too short or too regular to be one, in the words that
 * `refusal` makes of the problem; they never show it.
 */
export function parseSecret(text: string, refusal: (problem: string) => string): string {
  const secret = text.replaceAll('\r\n', '\n').trim();
  const problem = problemOf(secret);
  if (problem !== undefined) throw new ServiceError('invalidRequest', refusal(problem));
  return secret;
}
