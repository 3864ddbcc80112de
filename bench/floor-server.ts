import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * The floor: a bare node:http server that parses the JSON body and answers ready-made bytes. The bytes come on
 * standard input, the address goes to standard output.
 */
const answer = await text(process.stdin);
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    JSON.parse(body);
    response.writeHead(200, headers);
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port ?? 0}\n`);
});
