import { NodeApiError } from 'n8n-workflow';
import { lookupPostcode } from '../../../nodes/Signpost/postcode/look-up';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, httpFailure, notInDirectory, success } from '../fixtures/fake-execution';

const incoming = { customer: 'Ada', error: 'of before' };
const files = { letter: { data: 'TA==', mimeType: 'text/plain' } };

interface Setting {
  readonly onError?: 'continueErrorOutput' | 'continueRegularOutput';
  readonly continueOnFail?: boolean;
  readonly typeVersion?: number;
  readonly type?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Looks up a postcode that is not in the directory. Returns the item in the output of the node. */
async function failedItem({ parameters = {}, ...setting }: Setting) {
  const { context } = fakeExecution({
    parameters: { postcode: 'ZZ1 1ZZ', ...parameters },
    items: [incoming],
    files,
    continueOnFail: true,
    answer: () => Promise.reject(notInDirectory()),
    ...setting,
  });
  const client = new ServiceClient(context, signpostService);
  const [item] = await runOperation(context, client, lookupPostcode);
  return item;
}

const failure = { error: 'There is no postcode ZZ1 1ZZ.', details: { httpStatus: 404 } };

test.each([1, 1.1])(
  'version %p: an item at the error output has its own fields, the message and the status',
  async (typeVersion) => {
    const item = await failedItem({ onError: 'continueErrorOutput', typeVersion });
    expect(item?.json).toEqual({ customer: 'Ada', ...failure });
    expect(item?.pairedItem).toEqual({ item: 0 });
  },
);

test('an item at the error output has its error in a writable property that copies leave out', async () => {
  const item = await failedItem({ onError: 'continueErrorOutput' });
  expect(item?.error).toBeInstanceOf(NodeApiError);
  expect({ ...item }).not.toHaveProperty('error');
  // Older versions of n8n remove the error from the item themselves.
  expect(Reflect.set(item ?? {}, 'error', undefined)).toBe(true);
  expect(item?.error).toBeUndefined();
});

test.each([
  [1, false],
  [1.1, true],
])(
  'version %p: a failed item at the regular output keeps its fields and files: %p',
  async (typeVersion, isKept) => {
    const item = await failedItem({ onError: 'continueRegularOutput', typeVersion });
    expect(item?.json).toEqual({ ...(isKept ? { customer: 'Ada' } : {}), ...failure });
    expect(item?.binary).toEqual(isKept ? files : undefined);
    expect(item?.error).toBeUndefined();
  },
);

test('the error of an unknown postcode that stops the workflow says how to continue without it', async () => {
  await expect(failedItem({ continueOnFail: false })).rejects.toMatchObject({
    message: failure.error,
    description: expect.stringContaining('If Not Found'),
  });
});

test("the output of a tool that fails does not repeat the model's own input", async () => {
  const type = 'n8n-nodes-signpost.signpostTool';
  const item = await failedItem({ onError: 'continueRegularOutput', typeVersion: 1.1, type });
  expect(item?.json).toEqual(failure);
});

test('an item with unreadable options fails, and keeps its fields and files in version 1.1', async () => {
  const parameters = { options: new Error('Nothing there') };
  const item = await failedItem({ onError: 'continueRegularOutput', typeVersion: 1.1, parameters });
  expect(item).toMatchObject({ json: { customer: 'Ada', error: 'Nothing there' }, binary: files });
});

test.each([
  [1, true, {}, files],
  [1, false, {}, undefined],
  [1.1, true, { customer: 'Ada' }, files],
  [1.1, false, { customer: 'Ada' }, undefined],
])(
  'version %p, Keep Input Files %p: the version decides about the fields of a failed item, the option about its files',
  async (typeVersion, keepInput, fields, kept) => {
    const parameters = { options: { keepInput } };
    const item = await failedItem({ onError: 'continueRegularOutput', typeVersion, parameters });
    expect(item?.json).toEqual({ ...fields, ...failure });
    expect(item?.binary).toEqual(kept);
  },
);

test('each item is sent to the server and with the key of its own credential, and a wrong address fails only its item', async () => {
  const { context, requests, sentWith } = fakeExecution({
    parameters: { postcode: 'SW1A 1AA' },
    items: [{}, {}, {}],
    credentials: (itemIndex) => ({
      baseUrl: itemIndex === 1 ? 'nowhere' : `http://server-${itemIndex}.test`,
      apiKey: `key-${itemIndex}`,
    }),
    continueOnFail: true,
    answer: () => success({ result: { postcode: 'SW1A 1AA' } }),
  });
  const output = await runOperation(context, new ServiceClient(context, signpostService), lookupPostcode);
  expect(requests.map(({ url }) => url)).toEqual(
    [0, 2].map((item) => `http://server-${item}.test/api/postcode/lookup`),
  );
  expect(sentWith.map(({ apiKey }) => apiKey)).toEqual(['key-0', 'key-2']);
  expect(output[1]?.json.error).toContain('Base URL');
});

test('a used-up limit of one key does not delay items with another key', async () => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12, 0, 30) });
  const { context, sentWith } = fakeExecution({
    parameters: { postcode: 'SW1A 1AA', 'options.batching': { batch: { batchSize: 1 } } },
    items: [{}, {}, {}],
    credentials: (itemIndex) => ({ baseUrl: 'http://a.test', apiKey: itemIndex === 0 ? 'used-up' : 'free' }),
    answer: () =>
      sentWith.at(-1)?.apiKey === 'used-up'
        ? Promise.reject(httpFailure(429, { error: 'Used up.' }, { 'retry-after': '30' }))
        : success({ result: { postcode: 'SW1A 1AA' } }),
  });
  const client = new ServiceClient(context, signpostService);
  const sent = [0, 1].map((itemIndex) =>
    client
      .send(
        { method: 'GET', path: '/x', isRepeatable: true, timeoutMs: 1 },
        { itemIndex, maximumWaitMs: 60_000 },
      )
      .then(
        () => itemIndex,
        () => -1,
      ),
  );
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await sent[1]).toBe(1);
  expect(sentWith.map(({ apiKey }) => apiKey)).toEqual(['used-up', 'free']);
  await jest.runAllTimersAsync();
  await Promise.all(sent);
  jest.useRealTimers();
});
