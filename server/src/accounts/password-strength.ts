import { loadOnce } from '../platform/load-once.js';

/** What others may know about the owner of a password. The password must not be easy to guess from it. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string | null;
}

/** How many characters of a password are judged. More hardly make it stronger, but make the estimate much slower. */
const MAX_JUDGED_CHARACTERS = 64;
/**
 * The lowest score that is accepted, on the scale of zxcvbn from 0 to 4. A password with a lower one is found within a
 * hundred million guesses.
 */
const MIN_SCORE = 3;

/**
 * Loads the estimator only when it is needed: the lists of common passwords and words take 0.2 s, and few commands set
 * a password.
 */
const loadEstimator = loadOnce(async () => {
  const [{ ZxcvbnFactory: Estimator }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Estimator({ dictionary, graphs: adjacencyGraphs });
});

/** The owner's e-mail and name: each whole, in parts, and without separators. */
function wordsOf({ email, name }: PasswordOwner): string[] {
  const wholes = [email, ...email.split('@'), name ?? ''];
  const words = wholes.flatMap((text) => [
    text,
    text.replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ...text.split(/[^\p{L}\p{N}]+/u),
  ]);
  return [...new Set(words)].filter((word) => word !== '');
}

const REGULAR: ReadonlySet<string> = new Set(['repeat', 'sequence', 'spatial', 'date', 'wordSequence']);

/**
 * Says why a password is easy to guess, as the rest of a sentence that begins with "it"; undefined if the password is
 * not.
 */
export async function whyGuessable(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const judged = [...password.normalize('NFKC')].slice(0, MAX_JUDGED_CHARACTERS).join('');
  const { score, sequence } = (await loadEstimator()).check(judged, wordsOf(owner));
  if (score >= MIN_SCORE) return undefined;
  if (sequence.some((match) => 'dictionaryName' in match && match.dictionaryName === 'userInputs')) {
    return "is made of the account's e-mail address or name";
  }
  const [longest] = sequence.toSorted((one, other) => other.token.length - one.token.length);
  return REGULAR.has(longest?.pattern ?? '')
    ? 'repeats itself, or follows a sequence'
    : 'is one of the most common passwords, or close to one';
}
