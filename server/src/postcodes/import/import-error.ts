import { ServiceError } from '../../service-error.js';

/** Why a directory was not imported, in words for whoever imports it. */
export class ImportError extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('invalidRequest', message, { cause });
    this.name = 'ImportError';
  }
}

/** A place in a source file: lines count from 1. */
interface Place {
  readonly file: string;
  readonly line: number;
  /** The header's word for the column, or its number from 1. */
  readonly column?: string | undefined;
}

export const placeText = ({ file, line, column }: Place) =>
  `${file}, line ${line}${column === undefined ? '' : `, column ${column}`}`;
