import { runSignpost } from './signpost-server.js';

const PROJECT = 'Captures';

interface WithData {
  readonly dataDir: string;
}

/** Makes an account with a project and a key; answers the key. */
export async function createKeyOf(server: WithData, email: string, ...limits: string[]): Promise<string> {
  await runSignpost(server.dataDir, ['account', 'create', '--email', email]);
  return addKey(server, email, ...limits);
}

/** Makes a key for an account; answers it. */
export async function addKey({ dataDir }: WithData, email: string, ...limits: string[]): Promise<string> {
  const project = ['--account', email];
  // It may be there from an earlier key.
  await runSignpost(dataDir, ['project', 'create', ...project, '--name', PROJECT]);
  const words = ['key', 'create', ...project, '--project', PROJECT, ...limits];
  const { stdout, stderr } = await runSignpost(dataDir, words);
  const key = /sp_live_\w{38}/u.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`No key was made: ${stderr}`);
  return key;
}
