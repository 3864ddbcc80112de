import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
} as const;

const lookup = (id: number) =>
  `${JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } },
  })}\n`;

/** An MCP server as a process of its own, called by lines that cost the caller next to nothing. */
export class StdioServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #startedMs = performance.now();
  readonly #end: () => Promise<void>;
  #onAnswer: (line: string) => void = () => undefined;
  #nextId = 1;

  constructor(words: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, words, { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#end = onEnd(() => endChild(this.#child));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#onAnswer(line));
  }

  /** Connects and looks one postcode up; how long that took from the start of the process. */
  async firstAnswerMs(): Promise<number> {
    await this.#ask(`${JSON.stringify(INITIALIZE)}\n`);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await this.#ask(lookup(this.#id()));
    return performance.now() - this.#startedMs;
  }

  /** Keeps so many calls open for so many seconds; answers calls per second. */
  callsPerSecond(inFlight: number, seconds: number): Promise<number> {
    const startedMs = performance.now();
    let answered = 0;
    let open = 0;
    return new Promise((resolve, reject) => {
      this.#onAnswer = (line) => {
        if (!line.includes('"content"') || line.includes('"isError"'))
          reject(new Error(`No success: ${line}`));
        answered += 1;
        open -= 1;
        const elapsedMs = performance.now() - startedMs;
        if (elapsedMs < seconds * 1000) {
          open += 1;
          this.#child.stdin.write(lookup(this.#id()));
        } else if (open === 0) resolve((answered / elapsedMs) * 1000);
      };
      for (open = 0; open < inFlight; open += 1) this.#child.stdin.write(lookup(this.#id()));
    });
  }

  end(): Promise<void> {
    return this.#end();
  }

  #id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #ask(line: string): Promise<string> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#child.stdin.write(line);
    });
  }
}
