import { connect } from 'node:net';
import { AnswerReader, type RawAnswer } from './raw-answers.js';

/** What goes over one connection: requests whose ends can be told, then bytes that break it. */
export interface Exchange<Request> {
  readonly answered: readonly { readonly request: Request; readonly answer: RawAnswer }[];
  /** Those that the server closed the connection before. */
  readonly unanswered: readonly Request[];
  /** What the bytes at the end were answered with; nothing where the connection was closed without. */
  readonly last: readonly RawAnswer[];
}

const GIVE_UP_MS = 20_000;

/** Sends requests all at once over a connection of their own, reads their answers, and then sends the last bytes. */
export function exchangeAll<Request extends { readonly bytes: Buffer; readonly method: string }>(
  url: string,
  requests: readonly Request[],
  lastBytes: Buffer,
): Promise<Exchange<Request>> {
  const { hostname, port } = new URL(url);
  const reader = new AnswerReader();
  const answers: RawAnswer[] = [];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const tooLate = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`${answers.length} of ${requests.length} requests were answered: ${String(lastBytes)}`),
      );
    }, GIVE_UP_MS);
    let areLastSent = false;
    socket.on('data', (chunk) => {
      const isToHead = (place: number) => requests[answers.length + place]?.method === 'HEAD';
      answers.push(...reader.add(chunk, isToHead));
      if (areLastSent || answers.length < requests.length) return;
      areLastSent = true;
      socket.end(lastBytes);
    });
    // A reset is one of the ways in which a server may end a connection.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(tooLate);
      const answered = requests.flatMap((request, place) => {
        const answer = answers[place];
        return answer === undefined ? [] : [{ request, answer }];
      });
      const unanswered = requests.slice(answered.length);
      resolve({ answered, unanswered, last: answers.slice(requests.length) });
    });
    socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)));
  });
}
