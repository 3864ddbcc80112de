import { z } from 'zod';

/** Where the captured file goes, for tools that can write one. */
export const outputFileArgument = (example: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(`Name for the saved file, such as "${example}", below the output folder; never overwrites.`);
