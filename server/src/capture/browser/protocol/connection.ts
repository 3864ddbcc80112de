import { z } from 'zod';
import { AnswerTooLong, ProtocolError } from './protocol-errors.js';
import { EventBudget } from './event-budget.js';
import { END_BYTES, isEvent, repliedId, sessionOf } from './message-head.js';
import { ProtocolSession } from './session.js';
import type { Transport } from './transport.js';

const incoming = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
/** The maximum size of a command. At a message of 100 MiB, Chromium ends the whole connection with all its pages. */
const MAX_SENT_BYTES = 99 * 1_048_576;
const ofSession = z.object({ sessionId: z.string() });

/**
 * The client of one browser's protocol. Passes replies to their callers and events to their sessions. A command fails
 * if its reply is too long. Events that are too long, or beyond the event budget of a page, are dropped.
 */
export class ProtocolConnection {
  /** The session of the browser itself. */
  readonly root: ProtocolSession;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** A counter that increases whenever the browser sends anything. */
  receivedCount = 0;
  readonly #sessions = new Map<string, ProtocolSession>();
  /** The running commands, each with its session. */
  readonly #commands = new Map<number, { readonly session: ProtocolSession; readonly method: string }>();
  #lastId = 0;
  #isOpen = true;
  #onClosed: () => void = () => undefined;

  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.closed = new Promise((resolve) => (this.#onClosed = resolve));
    this.root = this.#newSession(EventBudget.unlimited());
    transport.listen({
      onData: () => void (this.receivedCount += 1),
      onMessage: (message) => this.#handleMessage(message),
      onTooLong: (head, tail) => this.#dropLong(head, tail),
      onClose: () => this.#close(),
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the session with this id, such as that of a page; a closed session if there is none with this id. */
  session(sessionId: string): ProtocolSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    const late = this.#newSession(new EventBudget());
    late.close();
    return late;
  }

  /** Whether a reply to one of these commands, sent in any session, is still to come. */
  awaits(methods: ReadonlySet<string>): boolean {
    return [...this.#commands.values()].some(({ method }) => methods.has(method));
  }

  close(): void {
    this.#transport.close();
  }

  #newSession(events: EventBudget, sessionId?: string): ProtocolSession {
    return new ProtocolSession((session, method, params) => {
      const id = (this.#lastId += 1);
      if (!this.#isOpen) return undefined;
      const message = JSON.stringify({ id, sessionId, method, params });
      if (Buffer.byteLength(message) > MAX_SENT_BYTES)
        throw new ProtocolError(method, 'The command is longer than a browser accepts.');
      this.#commands.set(id, { session, method });
      this.#transport.send(message);
      return id;
    }, events);
  }

  #handleMessage(message: string): void {
    try {
      if (!isEvent(message.slice(0, END_BYTES)) || this.#mayRead(message)) this.#dispatch(message);
    } catch {
      // The program speaks another protocol, so it is not a browser.
      this.#transport.close();
    }
  }

  #dispatch(message: string): void {
    const { id, sessionId, method, params, result, error } = incoming.parse(JSON.parse(message));
    if (id !== undefined) {
      const sentCommand = this.#commands.get(id);
      this.#commands.delete(id);
      sentCommand?.session.answer(
        id,
        error === undefined ? { result } : { fail: (command) => new ProtocolError(command, error.message) },
      );
      return;
    }
    if (method === undefined) return;
    if (method === 'Target.attachedToTarget') {
      const { sessionId: attached } = ofSession.parse(params);
      const events = sessionId === undefined ? new EventBudget() : this.#sessions.get(sessionId)?.events;
      if (events !== undefined) this.#sessions.set(attached, this.#newSession(events, attached));
    }
    (sessionId === undefined ? this.root : this.#sessions.get(sessionId))?.emit(method, params);
    if (method !== 'Target.detachedFromTarget') return;
    const { sessionId: detached } = ofSession.parse(params);
    if (sessionId === undefined) this.#detachPage(detached);
    else this.#detach(detached);
  }

  /**
   * Spends the size of an event from the budget of its session. Returns whether the event may be parsed; always true
   * for an event of the browser itself.
   */
  #mayRead(event: string): boolean {
    const sessionId = sessionOf(event.slice(-END_BYTES));
    return (
      sessionId === undefined || this.#sessions.get(sessionId)?.events.take(Buffer.byteLength(event)) === true
    );
  }

  #dropLong(head: string, tail: string): void {
    const id = repliedId(head);
    if (id === undefined) {
      const sessionId = sessionOf(tail);
      if (sessionId !== undefined) this.#sessions.get(sessionId)?.events.exhaust();
      return;
    }
    this.#commands.get(id)?.session.answer(id, { fail: (method) => new AnswerTooLong(method) });
    this.#commands.delete(id);
  }

  #detach(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    if (session !== undefined) this.#end(session);
  }

  /**
   * Ends the sessions of a page, its frames and its workers, because the events about their ends may have been
   * skipped.
   */
  #detachPage(sessionId: string): void {
    const events = this.#sessions.get(sessionId)?.events;
    for (const [id, session] of this.#sessions) if (session.events === events) this.#detach(id);
  }

  #end(session: ProtocolSession): void {
    session.close();
    for (const [id, command] of this.#commands) if (command.session === session) this.#commands.delete(id);
  }

  #close(): void {
    this.#isOpen = false;
    for (const session of [this.root, ...this.#sessions.values()]) this.#end(session);
    this.#sessions.clear();
    this.#onClosed();
  }
}
