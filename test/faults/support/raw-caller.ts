import { connect, type Socket } from 'node:net';
import { AnswerReader, type RawAnswer } from '../../fixtures/raw-answers.js';

/** A caller that writes bytes of its own to a server, and need not behave. */
export interface RawCaller {
  readonly socket: Socket;
  readonly answers: readonly RawAnswer[];
  /** Resolves with the first answer. */
  readonly answered: Promise<void>;
  /** Resolves once the server has closed its end, or the whole connection. */
  readonly ended: Promise<void>;
}

/**
 * Connects, and sends these bytes. The caller's own end is closed by nobody but the test. `isReading` false leaves
 * everything that the server sends unread, its end included.
 */
export function callRaw(url: string, sent: string | Buffer, { isReading = true } = {}): RawCaller {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  const reader = new AnswerReader();
  const answers: RawAnswer[] = [];
  const answered = new Promise<void>((resolve) =>
    socket.on('data', (chunk) => {
      answers.push(...reader.add(chunk));
      if (answers.length > 0) resolve();
    }),
  );
  if (!isReading) socket.pause();
  // A reset is one of the ways in which a server may end a connection.
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  socket.write(sent);
  return { socket, answers, answered, ended };
}

/** Writes a little each second for as long as the connection takes it. */
export function dribble({ socket }: RawCaller, little: string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(little);
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}
