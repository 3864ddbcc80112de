import { z } from 'zod';
import type { Line } from './n8n-process.js';
import type { N8n } from './n8n.js';
import { executionAnswer, readRun, type Run } from './run.js';

const LOOK_EVERY_MS = 100;
/** About 30 seconds. */
const MAX_READS = 200;

const stored = z.object({ data: z.looseObject({ id: z.string(), versionId: z.string() }) });
const listed = z.object({ data: z.object({ results: z.array(z.object({ id: z.string() })) }) });

/** A stored workflow that can be published and withdrawn; n8n polls its trigger whenever it is published. */
export interface Published {
  set(isPublished: boolean): Promise<void>;
  /** The executions of the workflow that n8n has kept. */
  executions(): Promise<readonly { readonly id: string }[]>;
  /** Waits until an execution of the workflow has succeeded or failed, and returns it. */
  executed(): Promise<Run>;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/**
 * Returns a handle to a stored workflow. `looks` returns the number of requests for the page so far: `set` waits until
 * it grows, because the newest n8n responds to publishing before it polls the page. It also waits until n8n has stored
 * what the poll found, or about half a minute: n8n forgets that if the workflow is withdrawn before.
 */
export async function publishing(
  n8n: N8n,
  workflowId: string,
  looks: () => number,
  line: Line = 'newest',
): Promise<Published> {
  const { versionId } = stored.parse((await n8n.rest('GET', `/workflows/${workflowId}`)).body).data;
  /** The newest n8n publishes a version of a workflow; in the oldest a workflow is active or not. */
  const send = (isPublished: boolean) =>
    line === 'newest'
      ? n8n.rest('POST', `/workflows/${workflowId}/${isPublished ? 'activate' : 'deactivate'}`, { versionId })
      : n8n.rest('PATCH', `/workflows/${workflowId}?forceSave=true`, { active: isPublished });
  const triggerData = async () => {
    const { data } = stored.parse((await n8n.rest('GET', `/workflows/${workflowId}`)).body);
    return JSON.stringify(data['staticData']);
  };
  const set = async (isPublished: boolean) => {
    const [before, dataBefore] = [looks(), await triggerData()];
    const { status, body } = await send(isPublished);
    if (status !== 200) throw new Error(JSON.stringify(body));
    if (!isPublished) return;
    while (looks() === before) await pause();
    for (let times = 0; times < MAX_READS && (await triggerData()) === dataBefore; times += 1) await pause();
  };
  const executions = async () => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    return listed.parse((await n8n.rest('GET', `/executions?filter=${filter}`)).body).data.results;
  };
  return {
    set,
    executions,
    async executed() {
      for (;;) {
        const [first] = await executions();
        const answer =
          first === undefined
            ? undefined
            : executionAnswer.parse((await n8n.rest('GET', `/executions/${first.id}`)).body);
        if (answer !== undefined && ['success', 'error'].includes(answer.data.status)) return readRun(answer);
        await pause();
      }
    },
  };
}
