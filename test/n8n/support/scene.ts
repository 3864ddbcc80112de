import { startSignpost, type SignpostServer } from '../../fixtures/signpost-server.js';
import { createKey, signpostCredential } from './keys.js';
import type { Line } from './n8n-process.js';
import { openN8n, type Credential, type N8n } from './n8n.js';

export const START_TIMEOUT_MS = 120_000;

export interface Scene {
  readonly signpost: SignpostServer;
  /** Sends a request to the server directly, with the key of the credential "signpost". Returns its JSON. */
  ask(path: string, body: unknown): Promise<unknown>;
  readonly n8n: N8n;
  close(): Promise<void>;
}

type Credentials = (
  signpost: SignpostServer,
  key: string,
) => readonly Credential[] | Promise<readonly Credential[]>;

/**
 * Starts a real Signpost server, and a real n8n with a credential named "signpost". The key of that credential has no
 * limits. `more` gets the server and the key, and returns further credentials.
 */
export async function startScene(more: Credentials = () => [], line: Line = 'newest'): Promise<Scene> {
  const signpost = await startSignpost({ SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1' });
  const key = await createKey(signpost.dataDir, 'unlimited');
  const n8n = await openN8n(
    [signpostCredential('signpost', signpost.url, key), ...(await more(signpost, key))],
    line,
  );
  return {
    signpost,
    n8n,
    async ask(path, body) {
      const answer: unknown = await (await signpost.post(path, body, key)).json();
      return answer;
    },
    close: async () => {
      await n8n.close();
      await signpost.remove();
    },
  };
}
