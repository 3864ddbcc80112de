import { InvalidArgumentError } from 'commander';
import type { Limit } from '../keys/limit.js';
import { parseLimit } from '../keys/parse-limit.js';
import { ServiceError } from '../service-error.js';

/** Reads a limit off the command line. */
export function limitArgument(text: string): Limit {
  try {
    return parseLimit(text);
  } catch (error) {
    if (error instanceof ServiceError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
