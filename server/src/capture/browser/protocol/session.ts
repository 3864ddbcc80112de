import { EventEmitter } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { EventBudget } from './event-budget.js';
import { SessionClosed } from './protocol-errors.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/**
 * A command that waits for its reply. Its functions are declared as methods, because TypeScript then lets a reply of
 * unknown type pass as the type that the protocol declares.
 */
interface PendingCommand {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

type Reply = { readonly result: unknown } | { readonly fail: (method: string) => Error };

/**
 * Commands that take effect only in the process that gets them, so that they are repeated in each process of a page. A
 * process that comes later gets only the last call of each.
 */
const OF_EACH_PROCESS: ReadonlySet<string> = new Set<keyof Commands>([
  'Animation.setPlaybackRate',
  'Emulation.setEmulatedMedia',
  'Emulation.setLocaleOverride',
  'Emulation.setScriptExecutionDisabled',
  'Emulation.setScrollbarsHidden',
  'Emulation.setTimezoneOverride',
  'Emulation.setTouchEmulationEnabled',
  'Emulation.setUserAgentOverride',
  'Emulation.setVirtualTimePolicy',
]);
/**
 * Like those of OF_EACH_PROCESS, this command is repeated in each process of a page: all of its calls and not only the
 * last, because each adds a script.
 */
const NEW_DOCUMENT_SCRIPT: keyof Commands = 'Page.addScriptToEvaluateOnNewDocument';

/** Receives every event of a session. */
type AnyEventListener = (method: string, params: unknown) => void;

/** Sends a command; returns its identifier, or undefined if the connection has ended. */
type Send = (session: ProtocolSession, method: string, params: unknown) => number | undefined;

/** Sends commands to one target in a browser, such as a page, and receives its events. */
export class ProtocolSession {
  readonly #events = new EventEmitter();
  readonly #pending = new Map<number, PendingCommand>();
  readonly #onClosed: (() => void)[] = [];
  /** The commands to repeat for each process of the page. */
  readonly #repeated = new Map<string, { readonly method: string; readonly params: unknown }>();
  readonly #followers = new Set<ProtocolSession>();
  #onAnyEvent: AnyEventListener | undefined;
  #isOpen = true;

  readonly #sendRaw: Send;

  constructor(
    sendRaw: Send,
    /** The event budget. A page, its frames and its workers share one. That of the browser itself is unlimited. */
    readonly events = new EventBudget(),
  ) {
    this.#sendRaw = sendRaw;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends a command and returns the reply. Throws a ProtocolError if the command is too long or the browser rejects it,
   * SessionClosed if there will be no reply, and AnswerTooLong if the reply is too long.
   */
  async send<Method extends keyof Commands>(
    method: Method,
    ...params: Commands[Method]['paramsType']
  ): Promise<Commands[Method]['returnType']> {
    const id = this.#isOpen ? this.#sendRaw(this, method, params[0]) : undefined;
    if (id === undefined) throw new SessionClosed(method);
    this.#repeat(method, params[0]);
    return new Promise<Commands[Method]['returnType']>((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
    });
  }

  /**
   * Sends another client's command unchanged. Calls `resolve` or `reject` of `reply` synchronously when the reply
   * arrives, so that the reply keeps its position among the events of the session. Calls `reject` at once if the
   * session is closed.
   */
  forward(method: string, params: unknown, reply: Omit<PendingCommand, 'method'>): void {
    const id = this.#isOpen ? this.#sendRaw(this, method, params) : undefined;
    if (id === undefined) reply.reject(new SessionClosed(method));
    else this.#pending.set(id, { method, ...reply });
  }

  /** Passes every event of the session to this listener, which replaces an earlier one. */
  onAnyEvent(listener: AnyEventListener): void {
    this.#onAnyEvent = listener;
  }

  /**
   * Repeats in this session the commands of OF_EACH_PROCESS and NEW_DOCUMENT_SCRIPT that `other` has sent, and those
   * that `other` will send. Does nothing if this session is closed.
   */
  follow(other: ProtocolSession): void {
    if (!this.#isOpen) return;
    other.#followers.add(this);
    this.onClosed(() => other.#followers.delete(this));
    for (const { method, params } of other.#repeated.values()) this.#sendUnawaited(method, params);
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
    this.#onAnyEvent?.(event, params);
  }

  answer(id: number, answer: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if ('fail' in answer) pending?.reject(answer.fail(pending.method));
    else pending?.resolve(answer.result);
  }

  /** Closes the session, and rejects its running commands. */
  close(): void {
    this.#isOpen = false;
    for (const pending of this.#pending.values()) pending.reject(new SessionClosed(pending.method));
    this.#pending.clear();
    for (const listener of this.#onClosed.splice(0)) listener();
  }

  #repeat(method: string, params: unknown): void {
    const isScript = method === NEW_DOCUMENT_SCRIPT;
    if (!isScript && !OF_EACH_PROCESS.has(method)) return;
    this.#repeated.set(isScript ? `${method} ${this.#repeated.size}` : method, { method, params });
    for (const follower of this.#followers) follower.#sendUnawaited(method, params);
  }

  #sendUnawaited(method: string, params: unknown): void {
    this.#sendRaw(this, method, params);
    this.#repeat(method, params);
  }
}
