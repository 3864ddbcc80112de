import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export const EMAIL = 'reader@example.com';
export const PASSWORD = 'canary-3e7b "quoted" €';

const COOKIE = 'session=1';

async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const isRight = form.get('email') === EMAIL && form.get('password') === PASSWORD;
  response.writeHead(isRight ? 204 : 403, isRight ? { 'set-cookie': `${COOKIE}; Path=/; HttpOnly` } : {});
  response.end();
}

/** Signs visitors in at `/session`; shows at `/account` whether they are signed in. Returns false for other paths. */
export function answerSession(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (path !== '/session' && path !== '/account') return false;
  if (path === '/session') void signIn(request, response);
  else {
    const isSignedIn = request.headers.cookie?.includes(COOKIE) === true;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Account</title><p>${isSignedIn ? 'Balance 42 pounds' : 'Nobody'}</p>`,
    );
  }
  return true;
}
