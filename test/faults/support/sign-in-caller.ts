import { Agent, request, type IncomingMessage } from 'node:http';

interface Sent {
  readonly path: string;
  readonly cookie?: string;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
}

/**
 * A caller at one address that signs in repeatedly. Loads the form once, then sends it with any e-mail and password.
 */
export interface SignInCaller {
  /** Sends the form. Returns the status of the response: 303 if the password is right. */
  signIn(email: string, password: string): Promise<number>;
  close(): void;
}

function readAnswer(message: IncomingMessage): Promise<Answer> {
  return new Promise((resolve) => {
    let text = '';
    message.setEncoding('utf8').on('data', (part: string) => (text += part));
    message.once('close', () => {
      const cookies = (message.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
      resolve({ status: message.statusCode ?? 0, text, cookies });
    });
  });
}

/** Loads the sign-in form from a loopback address such as 127.0.0.2, on at most `connections` connections. */
export async function openSignIn(url: string, address: string, connections: number): Promise<SignInCaller> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = ({ path, cookie, body }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const headers = {
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { ...form, 'Content-Length': String(Buffer.byteLength(body)) }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      request(url + path, { agent, method, headers, localAddress: address }, (message) => {
        void readAnswer(message).then(resolve);
      })
        .once('error', reject)
        .end(body);
    });
  const { text, cookies } = await send({ path: '/signin' });
  const csrf = /name="_csrf" value="([^"]+)"/u.exec(text)?.[1] ?? '';
  return {
    async signIn(email, password) {
      const body = new URLSearchParams({ _csrf: csrf, email, password, next: '' }).toString();
      return (await send({ path: '/signin', cookie: cookies.join('; '), body })).status;
    },
    close: () => agent.destroy(),
  };
}
