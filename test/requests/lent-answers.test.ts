import { findNearestPostcodesResponse, lookupPostcodesResponse } from '@signpost/contract';
import { answerOf } from '../fixtures/answers.js';
import { exchangeAll } from '../fixtures/pipelined.js';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** The largest number of results that one request can ask for. */
const MANY = 100;
const CENTRE = { latitude: 51.5, longitude: -0.12, limit: MANY, radiusMetres: 20_000 };

const postOf = ({ apiKey }: ConsoleApp, path: string, body: object) => {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return { method: 'POST', bytes: Buffer.from(head + text) };
};

test('a long response that waits behind another on its connection is not overwritten by others', async () => {
  const held: (() => void)[] = [];
  const screenshot = () => new Promise<typeof PICTURE>((resolve) => held.push(() => resolve(PICTURE)));
  const server = await startConsoleApp(UNLIMITED, () => Promise.resolve({ ...noCaptures(), screenshot }));
  try {
    const near = await answerOf(
      server.post('/api/postcode/nearest', CENTRE),
      findNearestPostcodesResponse.refine(({ results }) => results.length > 20),
    );
    const found = near.body.results.map(({ postcode }) => postcode);
    const asked = Array.from({ length: MANY }, (_, index) => found[index % found.length] ?? '');
    const requests = [
      postOf(server, '/api/screenshot', { url: 'http://127.0.0.1/held' }),
      postOf(server, '/api/postcode/bulk', { postcodes: asked }),
    ];
    const pipelined = exchangeAll(server.url, requests, Buffer.from('that is all\r\n\r\n'));
    await waitUntil('the capture is under way', () => held.length > 0);
    const others = asked.toReversed();
    for (let round = 0; round < 3; round += 1) {
      const { body } = await answerOf(
        server.post('/api/postcode/bulk', { postcodes: others }),
        lookupPostcodesResponse,
      );
      expect(body.results.map(({ postcode }) => postcode)).toEqual(others);
    }
    for (const release of held) release();

    const { answered } = await pipelined;
    expect(answered.map(({ answer }) => answer.status)).toEqual([200, 200]);
    const body = answered[1]?.answer.body ?? '';
    const { results } = lookupPostcodesResponse.parse(JSON.parse(body));
    expect(results.map(({ postcode }) => postcode)).toEqual(asked);
  } finally {
    await server.close();
  }
});
