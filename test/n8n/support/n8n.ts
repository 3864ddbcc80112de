import { z } from 'zod';
import type { Ended, Line } from './n8n-process.js';
import { executionAnswer, readRun, type BinaryField, type Run } from './run.js';
import { runningN8n } from './running-n8n.js';
import type { Workflow } from './workflow.js';

const RUN_GIVE_UP_MS = 100_000;
const LOOK_EVERY_MS = 50;
/** Older versions of n8n report the end of a run before they have stored its data. */
const NO_RECORD_YET = '[]';
/** Matches the text that n8n shows in place of a secret that is not empty. */
export const SECRET = /_BLANK_VALUE_/u;
const STILL_RUNNING = ['new', 'running', 'waiting', 'unknown'];

/** A credential to store. Imported workflows refer to it by name and type, because n8n chooses its identifier. */
export interface Credential {
  readonly name: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One test file's view of the shared n8n: its own credentials, and ways to work with it. */
export interface N8n {
  readonly url: string;
  /** The value of the session cookie of n8n's owner. */
  readonly session: string;
  /** Runs n8n's command line on the same folder until the command ends. */
  command(...words: string[]): Promise<Ended>;
  /** Like `command`, with these additional environment variables. */
  commandWith(variables: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended>;
  /** Sends a request to n8n's own API as its owner. Returns the status and the JSON. */
  rest(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Stores a workflow and runs it to its end. */
  run(workflow: Workflow, trigger?: string): Promise<Run>;
  /** Runs a stored workflow to its end. */
  runStored(id: string, trigger?: string): Promise<Run>;
  /** The bytes of a file in the output of a node. */
  file(field: BinaryField | undefined): Promise<Buffer>;
  /** The identifier of a credential. */
  credentialId(name: string): string;
  /** The stored data of a credential, in which n8n replaces secrets that are not expressions by one fixed text. */
  stored(name: string): Promise<Readonly<Record<string, unknown>>>;
  importFile(kind: 'workflow', content: unknown): Promise<void>;
  /** Deletes the credentials, so that the next test file can use their names. */
  close(): Promise<void>;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens the n8n that the whole test run shares, and stores these credentials in it. */
export async function openN8n(credentials: readonly Credential[], line: Line = 'newest'): Promise<N8n> {
  const { url, session, command, commandWith, importFile, request } = await runningN8n(line);
  const rest: N8n['rest'] = async (method, path, body) => {
    const response = await request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const ids = new Map<string, string>();
  for (const credential of credentials)
    ids.set(credential.name, await created(rest('POST', '/credentials', credential)));
  const credentialId = (name: string) => ids.get(name) ?? '';

  const runStored: N8n['runStored'] = async (id, trigger = 'Start') => {
    // Old versions of n8n run the workflow in the request, new ones run the stored workflow.
    const { data: workflowData } = storedAnswer.parse((await rest('GET', `/workflows/${id}`)).body);
    const started = await rest('POST', `/workflows/${id}/run`, {
      workflowData,
      triggerToStartFrom: { name: trigger },
    });
    const { executionId } = runAnswer.parse(started.body).data;
    const startedAtMs = Date.now();
    for (;;) {
      const answer = executionAnswer.parse((await rest('GET', `/executions/${executionId}`)).body);
      const { status, data } = answer.data;
      if (!STILL_RUNNING.includes(status) && data !== NO_RECORD_YET) return readRun(answer);
      const elapsedMs = Date.now() - startedAtMs;
      if (elapsedMs > RUN_GIVE_UP_MS) throw new Error(`The workflow "${id}" does not come to its end.`);
      // Each look takes processor time from the run.
      await sleep(Math.max(LOOK_EVERY_MS, elapsedMs / 10));
    }
  };
  return {
    url,
    session,
    command,
    commandWith,
    rest,
    importFile,
    runStored,
    run: async (workflow, trigger) => runStored(await created(rest('POST', '/workflows', workflow)), trigger),
    async file(field) {
      if (field === undefined) throw new Error('There is no file.');
      // Old versions of n8n keep the file in the item.
      if (field.id === undefined) return Buffer.from(field.data, 'base64');
      const response = await request(`/binary-data?id=${encodeURIComponent(field.id)}&action=download`);
      if (!response.ok) throw new Error(await response.text());
      return Buffer.from(await response.arrayBuffer());
    },
    credentialId,
    async stored(name) {
      const { body } = await rest('GET', `/credentials/${credentialId(name)}?includeData=true`);
      return credentialAnswer.parse(body).data.data;
    },
    async close() {
      for (const id of ids.values()) {
        const { status, body } = await rest('DELETE', `/credentials/${id}`);
        if (status !== 200) throw new Error(JSON.stringify(body));
      }
    },
  };
}

const storedAnswer = z.object({ data: z.looseObject({ id: z.string() }) });
const runAnswer = z.object({ data: z.object({ executionId: z.string() }) });
const credentialAnswer = z.object({ data: z.object({ data: z.record(z.string(), z.unknown()) }) });

/** Returns the identifier of the object that a request has created. Throws if the status is not 200. */
async function created(answer: ReturnType<N8n['rest']>): Promise<string> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
  return storedAnswer.parse(body).data.id;
}
