import type { ImportJob, ImportOutcome } from '../postcodes/import/directory-imports.js';
import type { ImportProgress } from '../postcodes/import/import-directory.js';
import type { ImportSettings } from './directory-import.js';

/** The order sent to an import process. */
export interface ImportOrder {
  readonly kind: 'import';
  readonly settings: ImportSettings;
  readonly job: ImportJob;
}

/** The messages that an import process sends back. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly reason: string };

const kindOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Checks only the kind, which determines the other fields, because both processes run the same version. */
export const isImportOrder = (message: unknown): message is ImportOrder => kindOf(message) === 'import';

export const isImportMessage = (message: unknown): message is ImportMessage =>
  ['progress', 'done', 'refused', 'failed'].some((kind) => kind === kindOf(message));
