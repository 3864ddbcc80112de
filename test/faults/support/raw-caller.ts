import { connect, type Socket } from 'node:net';
import { AnswerReader, type RawAnswer } from '../../fixtures/raw-answers.js';

/** A caller that writes arbitrary bytes to a server and may misbehave. */
export interface RawCaller {
  readonly socket: Socket;
  readonly answers: readonly RawAnswer[];
  /** Resolves when the first response arrives. */
  readonly answered: Promise<void>;
  /** Resolves when the server has closed its end, or when the connection has closed. */
  readonly ended: Promise<void>;
}

/**
 * Connects and sends these bytes. Only the test closes the caller's end. With `isReading` false, nothing from the
 * server is read, not even the end of the connection.
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
  // A server may also end a connection with a reset.
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  socket.write(sent);
  return { socket, answers, answered, ended };
}

/** Writes a little every second as long as the connection is writable. */
export function dribble({ socket }: RawCaller, little: string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(little);
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}
