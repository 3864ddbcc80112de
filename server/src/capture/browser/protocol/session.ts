import { EventEmitter } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { EventBudget } from './event-budget.js';
import { SessionClosed } from './protocol-errors.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** A command without its answer. As methods, so that what came is taken to be what the protocol says of it. */
interface PendingCommand {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

type Answer = { readonly result: unknown } | { readonly fail: (method: string) => Error };

/** Sends a command; returns its identifier, or undefined if the connection has ended. */
type Send = (session: ProtocolSession, method: string, params: unknown) => number | undefined;

/** Sends commands to one target in a browser, such as a page, and receives its events. */
export class ProtocolSession {
  readonly #events = new EventEmitter();
  readonly #pending = new Map<number, PendingCommand>();
  readonly #onClosed: (() => void)[] = [];
  /** The last parameters of each emulation command. */
  readonly #emulated = new Map<string, unknown>();
  #isOpen = true;

  constructor(
    private readonly sendRaw: Send,
    /** Shared with the sessions that are attached to it. */
    readonly events = new EventBudget(),
  ) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Throws a ProtocolError if the browser rejects the command, and SessionClosed if there will be no reply.
   */
  async send<Method extends keyof Commands>(
    method: Method,
    ...params: Commands[Method]['paramsType']
  ): Promise<Commands[Method]['returnType']> {
    const id = this.#isOpen ? this.sendRaw(this, method, params[0]) : undefined;
    if (id === undefined) throw new SessionClosed(method);
    if (method.startsWith('Emulation.')) this.#emulated.set(method, params[0]);
    return new Promise<Commands[Method]['returnType']>((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
    });
  }

  /** Repeats these commands with the last parameters of another session, without waiting for replies. */
  emulateLike(other: ProtocolSession, methods: ReadonlySet<string>): void {
    for (const [method, params] of other.#emulated) {
      if (!this.#isOpen || !methods.has(method)) continue;
      this.#emulated.set(method, params);
      this.sendRaw(this, method, params);
    }
  }

  on<Event extends keyof Events>(event: Event, listener: (params: Events[Event][0]) => void): void {
    this.#events.on(event, listener);
  }

  /** Calls the listener when the session is closed; at once if it already is. */
  onClosed(listener: () => void): void {
    if (this.#isOpen) this.#onClosed.push(listener);
    else listener();
  }

  emit(event: string, params: unknown): void {
    this.#events.emit(event, params);
  }

  answer(id: number, answer: Answer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if ('fail' in answer) pending?.reject(answer.fail(pending.method));
    else pending?.resolve(answer.result);
  }

  /** Rejects the running commands. Returns their ids. */
  close(): readonly number[] {
    this.#isOpen = false;
    const ids = [...this.#pending.keys()];
    for (const pending of this.#pending.values()) pending.reject(new SessionClosed(pending.method));
    this.#pending.clear();
    for (const listener of this.#onClosed.splice(0)) listener();
    return ids;
  }
}
