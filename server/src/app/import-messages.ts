import type { ImportJob, ImportOutcome } from '../postcodes/import/directory-imports.js';
import type { ImportProgress } from '../postcodes/import/import-directory.js';
import type { ImportSettings } from './directory-import.js';

/** What a process that imports is told. */
export interface ImportOrder {
  readonly kind: 'import';
  readonly settings: ImportSettings;
  readonly job: ImportJob;
}

/** What it says. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly reason: string };

const kindOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Both processes are of one program, so that the kind tells the rest. */
export const isImportOrder = (message: unknown): message is ImportOrder => kindOf(message) === 'import';

export const isImportMessage = (message: unknown): message is ImportMessage =>
  ['progress', 'done', 'refused', 'failed'].some((kind) => kind === kindOf(message));
