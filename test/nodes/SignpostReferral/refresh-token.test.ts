import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, success } from '../fixtures/fake-execution';
import { referralService } from '../../../nodes/SignpostReferral/referral-service';
import { refresh } from '../../../nodes/SignpostReferral/token-operations';

const status = { result: 'success', identity: { id: '1' }, valid_to: '2026-03-01T12:00:00.000Z' };

async function run(connectWith: string, continueOnFail = false) {
  const { context, requests } = fakeExecution({
    parameters: {},
    items: [{}, {}, {}],
    credentials: { baseUrl: 'http://referral.test', connectWith },
    continueOnFail,
    answer: () => success(status),
  });
  const client = new ServiceClient(context, referralService);
  return { output: await runOperation(context, client, refresh), requests };
}

test('one renewal of the token serves all items', async () => {
  const { output, requests } = await run('refreshToken');
  expect(requests.map(({ url, headers }) => [url, Object.keys(headers ?? {})])).toEqual([
    ['http://referral.test/api/token/status', ['Accept', 'X-Signpost-Renew']],
  ]);
  expect(output).toEqual([0, 1, 2].map((item) => ({ json: status, pairedItem: { item } })));
});

test('without a refresh token, every item fails without a request', async () => {
  const { output, requests } = await run('accessToken', true);
  expect(requests).toEqual([]);
  expect(output.map(({ json }) => json.error)).toEqual(Array(3).fill('The credential has no refresh token'));
});
