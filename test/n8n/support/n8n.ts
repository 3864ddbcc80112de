import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort, n8nEnvironment, spawnN8n, type Ended, type Line } from './n8n-process.js';
import { unpackPackage } from './packed-package.js';
import { executionAnswer, readRun, type BinaryField, type Run } from './run.js';
import type { Workflow } from './workflow.js';

const START_GIVE_UP_MS = 90_000;
const RUN_GIVE_UP_MS = 100_000;
const LOOK_EVERY_MS = 50;
/** An old n8n says that a run has ended before it has stored what happened. */
const NO_RECORD_YET = '[]';
const STILL_RUNNING = ['new', 'running', 'waiting', 'unknown'];

export const OWNER = {
  email: 'owner@example.com',
  firstName: 'Olive',
  lastName: 'Owner',
  password: 'Only-for-this-1',
} as const;

export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A real n8n with the packed package of nodes installed, in a folder of its own. */
export interface N8n {
  readonly url: string;
  /** The value of the session cookie of its owner. */
  readonly session: string;
  /** Runs n8n's command line on the same folder to its end. */
  command(...words: string[]): Promise<Ended>;
  /** Sends a request to n8n's own API as its owner; answers status and JSON. */
  rest(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Stores a workflow and runs it to its end. */
  run(workflow: Workflow, trigger?: string): Promise<Run>;
  /** Runs a stored workflow to its end. */
  runStored(id: string, trigger?: string): Promise<Run>;
  /** The bytes of a file that a node put out. */
  file(field: BinaryField | undefined): Promise<Buffer>;
  /** What n8n has stored of a credential, decrypted. */
  stored(credentialId: string): Promise<Readonly<Record<string, unknown>>>;
  importFile(kind: 'credentials' | 'workflow', content: unknown): Promise<void>;
  close(): Promise<void>;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Installs the packed package into a new n8n, imports these credentials by its command line, and starts it. */
export async function startN8n(credentials: readonly Credential[], line: Line = 'newest'): Promise<N8n> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-n8n-'));
  await unpackPackage(join(folder, '.n8n/nodes/node_modules/n8n-nodes-signpost'));
  const environment = await n8nEnvironment(folder, line);
  const command = async (...words: string[]) => {
    // A port of its own: the server may run at the same time.
    const own = { N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
    return spawnN8n(line, words, { ...environment, ...own }).ended;
  };
  const importFile = async (kind: 'credentials' | 'workflow', content: unknown) => {
    const file = join(folder, `${kind}.json`);
    await writeFile(file, JSON.stringify(content));
    const { code, output } = await command(`import:${kind}`, `--input=${file}`);
    if (code !== 0 || !output.includes('Successfully imported')) throw new Error(output);
  };
  if (credentials.length > 0) await importFile('credentials', credentials);

  const url = `http://127.0.0.1:${environment.N8N_PORT ?? ''}`;
  const server = spawnN8n(line, ['start'], environment);
  await answersAt(url, server);
  const session = await setUpOwner(url);

  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/rest${path}`, {
      ...init,
      headers: { Cookie: `n8n-auth=${session}`, 'Content-Type': 'application/json' },
    });
  const rest: N8n['rest'] = async (method, path, body) => {
    const response = await request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const runStored: N8n['runStored'] = async (id, trigger = 'Start') => {
    // An old n8n runs what it is sent, a new one what is stored.
    const { data: workflowData } = storedAnswer.parse((await rest('GET', `/workflows/${id}`)).body);
    const started = await rest('POST', `/workflows/${id}/run`, {
      workflowData,
      triggerToStartFrom: { name: trigger },
    });
    const { executionId } = runAnswer.parse(started.body).data;
    const giveUpAtMs = Date.now() + RUN_GIVE_UP_MS;
    for (;;) {
      const answer = executionAnswer.parse((await rest('GET', `/executions/${executionId}`)).body);
      const { status, data } = answer.data;
      if (!STILL_RUNNING.includes(status) && data !== NO_RECORD_YET) return readRun(answer);
      if (Date.now() > giveUpAtMs) throw new Error(`The workflow "${id}" does not come to its end.`);
      await sleep(LOOK_EVERY_MS);
    }
  };
  return {
    url,
    session,
    command,
    rest,
    importFile,
    runStored,
    async run(workflow, trigger) {
      const created = await rest('POST', '/workflows', workflow);
      if (created.status !== 200) throw new Error(JSON.stringify(created.body));
      return runStored(createdAnswer.parse(created.body).data.id, trigger);
    },
    async file(field) {
      if (field === undefined) throw new Error('There is no file.');
      // An old n8n keeps it in the item.
      if (field.id === undefined) return Buffer.from(field.data, 'base64');
      const response = await request(`/binary-data?id=${encodeURIComponent(field.id)}&action=download`);
      if (!response.ok) throw new Error(await response.text());
      return Buffer.from(await response.arrayBuffer());
    },
    async stored(credentialId) {
      const { output } = await command('export:credentials', `--id=${credentialId}`, '--decrypted');
      const json = /\[[\s\S]*\]/u.exec(output)?.[0] ?? '';
      return exportedCredentials.parse(JSON.parse(json))[0].data;
    },
    async close() {
      server.child.kill('SIGTERM');
      await server.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const storedAnswer = z.object({ data: z.looseObject({ id: z.string() }) });
const runAnswer = z.object({ data: z.object({ executionId: z.string() }) });
const createdAnswer = z.object({ data: z.object({ id: z.string() }) });
const exportedCredentials = z.tuple([z.object({ data: z.record(z.string(), z.unknown()) })]);

const isOk = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** An old n8n says that it is ready before it has its own API. */
async function answersAt(url: string, server: ReturnType<typeof spawnN8n>): Promise<void> {
  const giveUpAtMs = Date.now() + START_GIVE_UP_MS;
  for (;;) {
    if ((await isOk(`${url}/healthz/readiness`)) && (await isOk(`${url}/rest/settings`))) return;
    if (server.child.exitCode !== null || Date.now() > giveUpAtMs)
      throw new Error(`n8n does not start:\n${server.output()}`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function setUpOwner(url: string): Promise<string> {
  const response = await fetch(`${url}/rest/owner/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  const session = /n8n-auth=([^;]+)/u.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (session === undefined) throw new Error(`n8n takes no owner: ${await response.text()}`);
  return session;
}
