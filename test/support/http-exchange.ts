import { once } from 'node:events';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

/** A request as it goes over the wire: unlike `fetch`, any method, header and body. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends one request and reads its whole answer. */
export async function exchange(
  baseUrl: string,
  { method, path, headers, body }: WireRequest,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      once(answer, 'end').then(() => {
        const mediaType = (answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
        const { statusCode: status = 0, headers: received } = answer;
        resolve({ status, mediaType, headers: received, body: Buffer.concat(chunks) });
      }, reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
