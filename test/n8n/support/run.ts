import { z } from 'zod';
import { unflatten } from './unflatten.js';

const binary = z.object({
  id: z.string().optional(),
  data: z.string(),
  mimeType: z.string(),
  fileName: z.string().optional(),
});
const item = z.object({
  json: z.record(z.string(), z.unknown()),
  binary: z.record(z.string(), binary).optional(),
  pairedItem: z.unknown().optional(),
  error: z.unknown().optional(),
});
const error = z.looseObject({ message: z.string(), description: z.string().nullish() });
const nodeRun = z.object({
  executionTime: z.number(),
  error: error.optional(),
  // A model or a tool of an agent has other outputs.
  data: z.object({ main: z.array(z.array(item).nullable()).default([]) }).optional(),
});
const details = z.object({
  resultData: z.object({ error: error.optional(), runData: z.record(z.string(), z.array(nodeRun)) }),
});

/** The response of `GET /rest/executions/:id`. */
export const executionAnswer = z.object({
  data: z.object({ id: z.string(), status: z.string(), data: z.string() }),
});

export type Item = z.infer<typeof item>;
export type BinaryField = z.infer<typeof binary>;

/** The data of one run of a workflow. */
export interface Run {
  readonly id: string;
  readonly status: string;
  readonly error: z.infer<typeof error> | undefined;
  /** The items at an output of the node's first run, by default its first output. Throws if the node did not run. */
  items(node: string, output?: number): readonly Item[];
  /** The `json` of each item that `items` returns for the first output. */
  json(node: string): readonly Item['json'][];
  /** How long the first run of a node took, in milliseconds. Throws if the node did not run. */
  durationMs(node: string): number;
}

/** Reads the record of a run that has ended. */
export function readRun(answer: z.infer<typeof executionAnswer>): Run {
  const { id, status, data } = answer.data;
  const { resultData } = details.parse(unflatten(data));
  const firstRun = (node: string) => {
    const run = resultData.runData[node]?.[0];
    if (run === undefined)
      throw new Error(`The node "${node}" did not run: ${resultData.error?.message ?? status}`);
    return run;
  };
  const items = (node: string, output = 0) => firstRun(node).data?.main[output] ?? [];
  return {
    id,
    status,
    error: resultData.error,
    items,
    json: (node) => items(node).map(({ json }) => json),
    durationMs: (node) => firstRun(node).executionTime,
  };
}
