import { LIMITS } from '@signpost/contract';
import type { z } from 'zod';

const SHOWN_CHARACTERS = 200;

const pathOf = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replace(/\.\[/gu, '[');

/** What is wrong with a tool's arguments, each with its name, for a model that will call again. */
export function argumentProblems(input: z.ZodObject, { issues }: z.ZodError): string {
  const known = Object.keys(input.shape).join(', ');
  const problems = issues.slice(0, LIMITS.problems.max).map((issue) => {
    if (issue.code === 'unrecognized_keys')
      return `unknown: ${issue.keys.slice(0, LIMITS.problems.max).join(', ').slice(0, SHOWN_CHARACTERS)} (the arguments are: ${known || 'none'})`;
    return issue.path.length === 0 ? issue.message : `${pathOf(issue.path)}: ${issue.message}`;
  });
  return `The arguments are wrong. ${problems.join('; ')}. Correct them and call again.`;
}
