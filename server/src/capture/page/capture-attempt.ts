import { LeadsToFile } from './incoming-file.js';
import { NeverRests } from './settle.js';

/** One attempt to capture a page. */
export interface Attempt {
  /** Whether an earlier attempt found that the page is too busy to come to rest. */
  readonly isRestless: boolean;
  /** Whether files to which the address leads are read by the server. */
  readonly takesFiles: boolean;
}

/** The next attempt after a failed one; undefined if another attempt would not help. */
export function nextAttempt(error: unknown, previous: Attempt): Attempt | undefined {
  if (error instanceof NeverRests && !previous.isRestless) return { ...previous, isRestless: true };
  if (error instanceof LeadsToFile && !previous.takesFiles) return { ...previous, takesFiles: true };
  return undefined;
}
