import { Agent, request } from 'node:http';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const agent = new Agent({ keepAlive: true });
/** A request whose response is not complete after this time counts as failed. */
const TIMEOUT_MS = 30_000;

export interface OutgoingRequest {
  readonly path: string;
  readonly method?: string;
  /** The address that the request seems to come from. */
  readonly from: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ReceivedResponse {
  /** 0 if there was no complete response. */
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const NOTHING: ReceivedResponse = { status: 0, text: '', headers: {} };

/** Sends a request and reads the whole response. Returns the status 0 if no complete response arrives. */
export const send = (
  url: string,
  { path, method, from, headers, body }: OutgoingRequest,
): Promise<ReceivedResponse> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      url + path,
      {
        agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { 'X-Forwarded-For': from, ...headers, ...length },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('close', () =>
          resolve({
            status: response.complete ? (response.statusCode ?? 0) : 0,
            text,
            headers: response.headers,
          }),
        );
      },
    );
    outgoing.once('error', () => resolve(NOTHING));
    outgoing.end(body);
  });

/** Opens a page with a form, and posts the fields with the page's CSRF token and cookies. */
export async function sendForm(
  url: string,
  path: string,
  from: string,
  fields: Readonly<Record<string, string>>,
): Promise<ReceivedResponse> {
  const page = await send(url, { path, from });
  const [, token = ''] = /name="_csrf" value="([^"]+)"/u.exec(page.text) ?? [];
  const cookies = [page.headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0]);
  return send(url, {
    path,
    from,
    headers: { 'Content-Type': FORM_TYPE, Cookie: cookies.join('; ') },
    body: new URLSearchParams({ _csrf: token, ...fields }).toString(),
  });
}
