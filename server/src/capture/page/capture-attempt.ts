import { LeadsToFile } from './incoming-file.js';
import { NeverRests } from './settle.js';

/** How a page is tried. */
export interface Attempt {
  /** Whether it was tried before, and was too busy to come to rest. */
  readonly isRestless: boolean;
  /** Whether its address leads to a file, which is read here. */
  readonly takesFiles: boolean;
}

/** The next attempt after one that failed; undefined if another one would not help. */
export function nextAttempt(error: unknown, tried: Attempt): Attempt | undefined {
  if (error instanceof NeverRests && !tried.isRestless) return { ...tried, isRestless: true };
  if (error instanceof LeadsToFile && !tried.takesFiles) return { ...tried, takesFiles: true };
  return undefined;
}
