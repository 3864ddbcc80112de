import { type ApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { z } from 'zod';
import type { Backend } from '../client/backend.js';
import { SignpostApiError } from '../client/signpost-api-error.js';
import type { FileLinks } from '../files/file-links.js';
import { OutputFileError, type OutputFolder } from '../files/output-folder.js';
import { errorWords, toolName } from './error-words.js';
import { hasBlank, correctArguments } from './correct-arguments.js';
import { argumentProblems, inputJsonSchema, type ObjectSchema, outputJsonSchema } from './tool-schema.js';
import { failure, type ToolResult, withinLimit } from './tool-result.js';

/** The context of one tool call. */
export interface ToolContext {
  readonly backend: Backend;
  /** Saves captured files to a folder of this machine, or keeps them for links. */
  readonly files: OutputFolder | FileLinks;
  /** Aborted if the caller no longer wants the result. */
  readonly signal: AbortSignal;
  /** Reports progress to a caller that asked for it. */
  readonly report: (message: string) => void;
}

interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface ToolInfo {
  readonly name: string;
  readonly title: string;
  /** The text by which models choose the tool. */
  readonly description: string;
  readonly annotations: Annotations;
}

interface ToolDefinition<Input extends z.ZodObject> extends ToolInfo {
  readonly input: Input;
  readonly output?: z.ZodObject;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolResult>;
}

/** A tool as data, independent of the transport. */
export interface Tool extends ToolInfo {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  /**
   * Checks the arguments, after correcting them if necessary, and does the work. If the arguments are wrong, a request
   * to the server fails, a file cannot be saved or kept, or the result is too large, returns a failure with a message
   * for the model. Throws only unexpected errors, and the reason of the signal.
   */
  readonly call: (args: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** The annotations of tools that do not load a web page. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The annotations of tools that load a web page, which may differ the next time. */
const CAPTURE: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** The name, title, description and annotations of the tool for an operation of the contract. */
export function toolInfo(id: ApiKeyOperationId): ToolInfo {
  const operation: Operation = operations[id];
  return {
    name: toolName(id),
    title: operation.title,
    description: operation.mcp?.description ?? operation.description,
    annotations: operation.tag === 'Capture' ? CAPTURE : READ_ONLY,
  };
}

/**
 * Returns a function that computes a value at its first call, so that a single lookup does not wait for the schemas
 * of all tools.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => (cached ??= { value: make() }).value;
}

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input, output, run, ...info } = definition;
  const inputSchema = lazy(() => inputJsonSchema(input));
  const argumentNames = lazy(() => new Set(Object.keys(input.shape)));
  const outputSchema = lazy(() => (output === undefined ? undefined : outputJsonSchema(output)));
  return {
    ...info,
    get inputSchema() {
      return inputSchema();
    },
    get outputSchema() {
      return outputSchema();
    },
    async call(args, context) {
      const asSent = hasBlank(args) ? undefined : input.safeParse(args);
      const parsed =
        asSent?.success === true ? asSent : input.safeParse(correctArguments(args, inputSchema()));
      if (!parsed.success) return failure(argumentProblems(input, parsed.error));
      try {
        return withinLimit(await run(parsed.data, context));
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof SignpostApiError)
          return withinLimit(failure(errorWords(error, argumentNames())));
        if (error instanceof OutputFileError) return failure(error.message);
        throw error;
      }
    },
  };
}
