import {
  type ApiKeyOperationId,
  type Operation,
  type Operations,
  operations,
  type RequestInput,
} from '@signpost/contract';
import { z } from 'zod';
import { defineTool, type Tool, toolInfo } from './tool.js';
import { failure, isFields, structured } from './tool-result.js';

const NO_ARGUMENTS = z.strictObject({});

/**
 * The default tool for an operation of the contract. It returns the fields of the response, also as JSON text, or a
 * failure if the response is not an object.
 */
export function plainTool(id: ApiKeyOperationId): Tool {
  const { request, response }: Operation = operations[id];
  const isRequest = (value: unknown): value is RequestInput<Operations[ApiKeyOperationId]> =>
    request === undefined ? value === undefined : request.safeParse(value).success;
  return defineTool({
    ...toolInfo(id),
    input: request ?? NO_ARGUMENTS,
    ...(response.kind === 'json' && response.schema instanceof z.ZodObject
      ? { output: response.schema }
      : {}),
    async run(input, { backend, signal }) {
      const requestInput = request === undefined ? undefined : input;
      if (!isRequest(requestInput)) return failure('The arguments are wrong.');
      const answer: unknown = await backend.call(id, requestInput, { signal });
      return isFields(answer)
        ? structured(JSON.stringify(answer), answer)
        : failure('The operation answered something other than fields.');
    },
  });
}
