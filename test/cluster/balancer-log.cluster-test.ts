import { createServer } from 'node:http';
import { waitUntil } from '../fixtures/wait-until.js';
import { startBalancer } from './support/balancer.js';
import { freePorts } from '../fixtures/free-port.js';

const CANARY = 'canary9d1c';

test('the balancer logs failures without the secret part of file and link addresses, however they are written', async () => {
  const [balancerPort = 0, serverPort = 0] = await freePorts(2);
  // Every response except that of /readyz fails: those to GET break off, the others are 500.
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.end();
    else if (request.method === 'GET') response.writeHead(200, { 'Content-Length': 100 }).write('%PDF-');
    else response.writeHead(500).end();
    if (request.method === 'GET' && request.url !== '/readyz') setImmediate(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(serverPort, '127.0.0.1', resolve));
  const balancer = await startBalancer(balancerPort, [serverPort]);
  try {
    await waitUntil(
      'the server is asked',
      async () => (await fetch(balancer.url, { method: 'PUT' })).status === 500,
    );
    const paths = [
      '/files/',
      '/link/',
      '//files/',
      '/%66iles/',
      '/FILES/',
      '/files/more/',
      '/link//',
      '/c/',
      '//c/',
      '/%63/',
    ];
    for (const path of paths)
      for (const method of ['GET', 'PUT'])
        await fetch(`${balancer.url}${path}${CANARY}?q=${CANARY}`, { method })
          .then((answer) => answer.text())
          .catch(() => undefined);
    await fetch(`${balancer.url}/api/usage?q=${CANARY}`, { method: 'PUT' });
    await waitUntil('all is logged', () => balancer.log().includes(' PUT /api/usage 500 '));

    for (const line of [/ GET \/files\/\.\.\. 200 /gu, / PUT \/files\/\.\.\. 500 /gu])
      expect(balancer.log().match(line)).toHaveLength(5);
    for (const line of [/ GET \/c\/\.\.\. 200 /gu, / PUT \/c\/\.\.\. 500 /gu])
      expect(balancer.log().match(line)).toHaveLength(3);
    for (const line of [/ GET \/link\/\.\.\. 200 /gu, / PUT \/link\/\.\.\. 500 /gu])
      expect(balancer.log().match(line)).toHaveLength(2);
    expect(balancer.log()).not.toContain(CANARY);
  } finally {
    await balancer.end();
    server.close();
  }
});
