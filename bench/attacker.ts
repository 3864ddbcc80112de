import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { hostileRequests } from './hostile-requests.js';
import { attackData, type AttackData } from './attack-data.js';

/** The attacker of the benchmark, in a thread of its own: what it costs must not slow the load that is measured. */
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const agent = new Agent({ keepAlive: true });

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly text: string;
  readonly cookies: readonly string[];
}

const NO_ANSWER: Answer = { text: '', cookies: [] };

/** Sends a request and reads whatever comes of it; nothing where the connection ends before. */
const send = (url: string, { path, headers, body }: Sent) =>
  new Promise<Answer>((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...length },
    };
    const outgoing = request(url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('close', () => resolve({ text, cookies: response.headers['set-cookie'] ?? [] }));
    });
    outgoing.once('error', () => resolve(NO_ANSWER));
    outgoing.end(body);
  });

/** All at once, by the keys in turn. */
const capture = (url: string, keys: readonly string[], pageUrl: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    send(url, {
      path: '/api/screenshot',
      headers: { 'Content-Type': JSON_TYPE, 'X-Api-Key': keys[index % keys.length] ?? '' },
      body: JSON.stringify({ url: pageUrl }),
    }),
  );

/** The worst bodies one after the other, from one address and without a key, for good. */
async function sendHostile(url: string, path: string, bytes: number, address: string): Promise<never> {
  const bodies = hostileRequests(bytes).filter((one) => one.path === path && one.key === 'none');
  for (;;) {
    for (const { mediaType, body } of bodies)
      await send(url, { path, headers: { 'Content-Type': mediaType, 'X-Forwarded-For': address }, body });
  }
}

/** One filled form of its own. */
async function signUp(url: string, email: string, address: string): Promise<void> {
  const path = '/signup';
  const page = await send(url, { path, headers: { 'X-Forwarded-For': address } });
  const [, token = ''] = /name="_csrf" value="([^"]+)"/u.exec(page.text) ?? [];
  const cookies = page.cookies.map((line) => line.split(';', 1)[0]);
  const fields = { _csrf: token, email, name: '', password: 'a long enough password' };
  await send(url, {
    path,
    headers: { 'Content-Type': FORM_TYPE, 'X-Forwarded-For': address, Cookie: cookies.join('; ') },
    body: new URLSearchParams(fields).toString(),
  });
}

function start(data: AttackData): readonly Promise<unknown>[] {
  const { url } = data;
  switch (data.kind) {
    case 'captures':
      return capture(url, data.keys, data.pageUrl, data.count);
    case 'bodies':
      return Array.from({ length: data.count }, (_, sender) =>
        sendHostile(url, data.path, data.bytes, `10.1.0.${sender + 1}`),
      );
    case 'signUps':
      return Array.from({ length: data.count }, (_, nth) =>
        signUp(url, `${data.wave}-${nth}@example.org`, `10.2.0.${data.wave}`),
      );
  }
}

const attack = Promise.all(start(attackData.parse(workerData)));
parentPort?.postMessage('started');
await attack;
