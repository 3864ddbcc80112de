import type { Backend } from '../client/backend.js';
import { captureScreenshotToLink } from './capture-screenshot.js';

const url = 'https://example.com/';
const files = { kind: 'links', keep: () => Promise.resolve(undefined) } as const;

/** Returns the request that the tool sends to the server. */
async function asked(args: object) {
  const requests: unknown[] = [];
  const backend: Backend = {
    call: (_id, request) => {
      requests.push(request);
      return Promise.reject(new Error('It is not wanted.'));
    },
  };
  const { signal } = new AbortController();
  const context = { backend, files, signal, report: () => undefined };
  await expect(captureScreenshotToLink.call({ url, ...args }, context)).rejects.toThrow('It is not wanted.');
  return requests[0];
}

test('requests a window of 1280 × 800 pixels by default, and leaves its size to a given device', async () => {
  expect(await asked({})).toMatchObject({ width: 1280, height: 800 });
  expect(await asked({ height: 400 })).toMatchObject({ width: 1280, height: 400 });
  expect(await asked({ device: 'iPhone 15' })).toMatchObject({
    device: 'iPhone 15',
    width: undefined,
    height: undefined,
  });
  expect(await asked({ device: 'iPhone 15', width: 500 })).toMatchObject({ width: 500, height: undefined });
});
