import axios from 'axios';
import { createSignpostClient } from '../index.js';

/** An HTTP client that gets status 400 for every request. */
const http = axios.create({
  adapter: async (config) =>
    await Promise.resolve({
      data: Buffer.from('{"error":"No."}'),
      status: 400,
      statusText: 'Bad Request',
      headers: { 'content-type': 'application/json' },
      config,
    }),
});

test.each([
  [undefined, 180_000],
  [5_000, 180_000],
  [600_000, 3_600_000],
  [Number.NaN, 180_000],
  [Number.MAX_VALUE, 180_000],
])('the call for a PDF with the timeoutMs %p has a time limit of %i ms', async (timeoutMs, expected) => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  const client = createSignpostClient({ baseUrl: 'http://signpost.test', apiKey: 'sp_live_0', http });
  const request = { url: 'https://example.com', ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  await expect(client.call('capturePdf', request)).rejects.toThrow('No.');
  expect(timeout.mock.calls).toEqual([[expected]]);
  timeout.mockRestore();
});
