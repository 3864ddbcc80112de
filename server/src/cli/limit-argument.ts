import { InvalidArgumentError } from 'commander';
import { parseLimit, type Limit } from '../limit.js';
import { ServiceError } from '../service-error.js';

/** Reads a limit of at least `min` off the command line. */
export const limitArgumentFrom =
  (min: number) =>
  (text: string): Limit => {
    try {
      return parseLimit(text, min);
    } catch (error) {
      if (error instanceof ServiceError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };

export const limitArgument = limitArgumentFrom(0);
