import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';
import { lookupOf, openingOf, type Revision } from './mcp-messages.js';

const line = (message: object) => `${JSON.stringify(message)}\n`;

/** An MCP server as a separate process. Calls are written as plain lines, without a client that would cost time. */
export class StdioServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #startedMs = performance.now();
  readonly #end: () => Promise<void>;
  readonly #revision: Revision;
  #onAnswer: (answer: string) => void = () => undefined;
  #nextId = 1;

  constructor(words: readonly string[], environment: NodeJS.ProcessEnv, revision: Revision) {
    this.#revision = revision;
    this.#child = spawn(process.execPath, words, { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#end = onEnd(() => endChild(this.#child));
    createInterface({ input: this.#child.stdout }).on('line', (answer) => this.#onAnswer(answer));
  }

  /** Connects and looks up one postcode. Returns the time since the process was started. */
  async firstAnswerMs(): Promise<number> {
    await this.#ask(line(openingOf(this.#revision)));
    if (this.#revision === '2025-11-25')
      this.#child.stdin.write(line({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    await this.#ask(this.#nextLookup());
    return performance.now() - this.#startedMs;
  }

  /** Keeps `inFlight` calls open for some seconds. Returns calls per second. Rejects if a call fails. */
  callsPerSecond(inFlight: number, seconds: number): Promise<number> {
    const startedMs = performance.now();
    let answered = 0;
    let open = 0;
    return new Promise((resolve, reject) => {
      this.#onAnswer = (answer) => {
        if (!answer.includes('"content"') || answer.includes('"isError"'))
          reject(new Error(`No success: ${answer}`));
        answered += 1;
        open -= 1;
        const elapsedMs = performance.now() - startedMs;
        if (elapsedMs < seconds * 1000) {
          open += 1;
          this.#child.stdin.write(this.#nextLookup());
        } else if (open === 0) resolve((answered / elapsedMs) * 1000);
      };
      for (open = 0; open < inFlight; open += 1) this.#child.stdin.write(this.#nextLookup());
    });
  }

  end(): Promise<void> {
    return this.#end();
  }

  #nextLookup(): string {
    this.#nextId += 1;
    return line(lookupOf(this.#revision, this.#nextId));
  }

  #ask(sent: string): Promise<string> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#child.stdin.write(sent);
    });
  }
}
