import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const RECEIVER = join(import.meta.dirname, '../../docs/apilogin-receiver/receiver.mjs');

/** The documented example of a site whose visitors sign in with Signpost, as a process. */
export interface ExampleReceiver {
  readonly url: string;
  readonly returnUrl: string;
  /** Everything that it printed. */
  output(): string;
  close(): Promise<void>;
}

/** Starts the example on any free port. */
export async function startExampleReceiver(signpostUrl: string): Promise<ExampleReceiver> {
  const child = spawn(process.execPath, [RECEIVER, '--port', '0', '--signpost', signpostUrl], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (text: string) => (output += text);
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  while (!output.includes('/callback')) await once(child.stdout, 'data');
  const url = /http:\S+(?=\/callback)/u.exec(output)?.[0] ?? '';
  return {
    url,
    returnUrl: `${url}/callback`,
    output: () => output,
    close: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}
