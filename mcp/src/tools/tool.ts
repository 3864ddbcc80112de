import { type ApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { z } from 'zod';
import type { Backend } from '../client/backend.js';
import { SignpostApiError } from '../client/signpost-api-error.js';
import type { FileLinks } from '../files/file-links.js';
import { OutputFileError, type OutputFolder } from '../files/output-folder.js';
import { formatError } from '../client/signpost-api-error.js';
import { plainArguments } from './plain-arguments.js';
import { argumentProblems, inputJsonSchema, type ObjectSchema, outputJsonSchema } from './tool-schema.js';
import { failure, type ToolResult, withinLimit } from './tool-result.js';

/** What a tool works with during one call. */
export interface ToolContext {
  readonly backend: Backend;
  /** How captured files come to the caller. */
  readonly files: OutputFolder | FileLinks;
  /** Aborted when the caller no longer wants the result. */
  readonly signal: AbortSignal;
  /** Tells a caller that asked for it how far the work is. */
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
  /** What a model chooses the tool by. */
  readonly description: string;
  readonly annotations: Annotations;
}

interface ToolDefinition<Input extends z.ZodObject> extends ToolInfo {
  readonly input: Input;
  readonly output?: z.ZodObject;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolResult>;
}

/** A tool as data: nothing of it knows how it is reached. */
export interface Tool extends ToolInfo {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  /**
   * Checks the arguments and does the work. What was refused is a result too, in words for the model; throws only
   * what nobody foresaw, and the reason of the signal.
   */
  readonly call: (args: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** Asks the directory or the meter: repeated or not, it changes nothing. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Loads a page from the web, which may be another the next time. */
const CAPTURE: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** What the contract says of an operation as a tool. */
export function toolInfo(id: ApiKeyOperationId): ToolInfo {
  const operation: Operation = operations[id];
  return {
    name: id.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    title: operation.title,
    description: operation.mcp?.description ?? operation.description,
    annotations: operation.tag === 'Capture' ? CAPTURE : READ_ONLY,
  };
}

/** What is made when it is first asked for: to look one postcode up, nobody waits for the schemas of every tool. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input, output, run, ...info } = definition;
  const inputSchema = lazy(() => inputJsonSchema(input));
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
      const asSent = input.safeParse(args);
      const parsed = asSent.success ? asSent : input.safeParse(plainArguments(args, inputSchema()));
      if (!parsed.success) return failure(argumentProblems(input, parsed.error));
      try {
        return withinLimit(await run(parsed.data, context));
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof SignpostApiError) return withinLimit(failure(formatError(error)));
        if (error instanceof OutputFileError) return failure(error.message);
        throw error;
      }
    },
  };
}
