import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { textOf } from '../shared/values';

/** Matches a pattern between slashes, with or without flags after it. */
const WITH_FLAGS = /^\/(.+)\/([a-z]*)$/su;

function patternOf(text: string): RegExp {
  const [, pattern = text, flags = ''] = WITH_FLAGS.exec(text) ?? [];
  return new RegExp(pattern, [...new Set(`${flags}gu`)].join(''));
}

/** Compiles the entered patterns. Throws if one is not a regular expression. */
export function ignoredPatterns(context: IPollFunctions, entered: unknown): RegExp[] {
  const texts = Array.isArray(entered) ? entered.map(textOf).filter((text) => text !== undefined) : [];
  return texts.map((text) => {
    try {
      return patternOf(text);
    } catch {
      throw new NodeOperationError(
        context.getNode(),
        `Ignore Patterns has no valid regular expression: ${text}`,
        {
          description: 'Correct it under Options > Ignore Patterns, for example "Updated .*".',
        },
      );
    }
  });
}

/** The text that is compared: without everything that matches one of the patterns. */
export const withoutIgnored = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, ''), text);
