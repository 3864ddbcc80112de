import { type ApiKeyOperationId, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import { z } from 'zod';
import { formatError, type SignpostApiError } from '../client/signpost-api-error.js';
import { visibleLine } from './foreign-text.js';

/** The name of an operation's tool: its id in snake case, such as "get_usage" for getUsage. */
export const toolName = (id: ApiKeyOperationId): string =>
  id.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

const all: [string, Operation][] = Object.entries(operations);

const fieldsOf = ({ request }: Operation) =>
  request instanceof z.ZodObject ? Object.keys(request.shape) : [];

/** The tools by the routes of their operations, such as "POST /api/pdf". */
const toolsByRoute: ReadonlyMap<string, { readonly name: string; readonly fields: readonly string[] }> =
  new Map(
    all.flatMap(([id, operation]) =>
      operation.mcp !== undefined && isApiKeyOperationId(id)
        ? [
            [
              `${operation.method} ${operation.path}`,
              { name: toolName(id), fields: fieldsOf(operation) },
            ] as const,
          ]
        : [],
    ),
  );

/** The names of all request fields of all operations. */
const FIELDS: ReadonlySet<string> = new Set(all.flatMap(([, operation]) => fieldsOf(operation)));

const ROUTE = /\b(?:GET|POST|PUT|DELETE) \/[\w/{}-]+/gu;
/**
 * Matches names of fields. An unquoted word counts only if it has a capital letter inside, because other words are
 * usually plain English.
 */
const FIELD_NAME = /(?<=")[A-Za-z]+(?=")|\b[a-z]+(?:[A-Z][a-z]*)+\b/gu;
const BETWEEN_SENTENCES = /(?<=[.!?]) +(?=["A-Z])/u;

/** Removes fields that the tool does not have from a list such as '"clip", "selector" or "maxHeight"'. */
function withoutOtherFields(words: string, names: ReadonlySet<string>): string {
  const unlessOther = (part: string, name: string) => (FIELDS.has(name) && !names.has(name) ? '' : part);
  return words
    .replace(/"([A-Za-z]+)"(?:, | or | and )(?=")/gu, unlessOther)
    .replace(/(?<=")(?:, | or | and )"([A-Za-z]+)"/gu, unlessOther);
}

/**
 * A sentence with tools in place of routes; undefined if it names a route without a tool, or a field that the tool
 * does not have.
 */
function sentenceForTool(sentence: string, own: ReadonlySet<string>): string | undefined {
  const routes = sentence.match(ROUTE) ?? [];
  const tools = routes.map((route) => toolsByRoute.get(route));
  const names = new Set([...own, ...tools.flatMap((tool) => tool?.fields ?? [])]);
  const words = withoutOtherFields(sentence, names);
  const isUnknown = (name: string) => FIELDS.has(name) && !names.has(name);
  if (tools.includes(undefined) || (words.match(FIELD_NAME) ?? []).some(isUnknown)) return undefined;
  return words.replace(ROUTE, (route) => toolsByRoute.get(route)?.name ?? route);
}

/**
 * Rewrites a server's message for the tool with these arguments: names tools in place of routes, and leaves out
 * sentences about routes without a tool and about fields that the tool does not have. If no sentence would be left,
 * keeps the first one.
 */
export function inToolWords(message: string, names: ReadonlySet<string>): string {
  const sentences = visibleLine(message).split(BETWEEN_SENTENCES);
  const useful = sentences
    .map((sentence) => sentenceForTool(sentence, names))
    .filter((words) => words !== undefined);
  return useful.length === 0 ? (sentences[0] ?? '') : useful.join(' ');
}

/** The message of an error as `inToolWords` rewrites it and, if it is known, whether or when to call again. */
export const errorWords = (error: SignpostApiError, names: ReadonlySet<string>): string =>
  formatError(error, inToolWords(error.message, names));
