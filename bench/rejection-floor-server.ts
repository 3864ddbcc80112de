import { createServer, type IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

/**
 * Parses the body of a request. This is all that the bare server below does, whatever the body's size: it is the lower
 * bound for rejections.
 */
function read({ headers }: IncomingMessage, body: string): unknown {
  return headers['content-type'] === 'application/json'
    ? JSON.parse(body)
    : parse(body, '&', '=', { maxKeys: 0 });
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    read(request, Buffer.concat(parts).toString());
    response
      .writeHead(400, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': 2 })
      .end('{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port ?? 0}\n`);
});
