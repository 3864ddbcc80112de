import { z } from 'zod';

/** The description of a variable in docs/reference/variables.md, and whether its value is secret. */
interface AboutVariable {
  /** The heading in docs/reference/variables.md under which the variable is listed. */
  readonly group: string;
  /** The purpose of the variable, as Markdown. */
  readonly description: string;
  /** The default in words, if the schema does not hold it. */
  readonly defaultText?: string;
  /** Whether the value of the variable is never shown. */
  readonly isSecret?: boolean;
}

/** The descriptions of all variables, by the schema of the variable. */
export const aboutVariables = z.registry<AboutVariable>();
