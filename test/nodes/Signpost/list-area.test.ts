import { listAreaPostcodes } from '../../../nodes/Signpost/postcode/area';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { fakeExecution, success } from '../fixtures/fake-execution';

const found = {
  area: { kind: 'ward', code: null, name: 'Abbey' },
  total: 3,
  postcodes: ['IG11 1AA', 'IG11 1AB'],
};

async function run(parameters: Readonly<Record<string, unknown>>) {
  const { context, requests } = fakeExecution({ parameters, answer: () => success(found) });
  const client = new ServiceClient(context, await signpostService(context));
  const items = await runOperation(context, client, listAreaPostcodes);
  return { items: items.map(({ json }) => json), body: requests[0]?.body };
}

const byName = { areaCode: '', kind: 'ward', areaName: ' Abbey ', maxResults: 2 };

test('List Area answers an item for each postcode, and sends no field that is empty', async () => {
  const { items, body } = await run(byName);
  expect(body).toEqual({ kind: 'ward', name: 'Abbey', limit: 2 });
  expect(items).toEqual([{ postcode: 'IG11 1AA' }, { postcode: 'IG11 1AB' }]);
});

test('or one item with the area, its total and the list', async () => {
  const { items } = await run({ ...byName, oneItemPerResult: false });
  expect(items).toEqual([found]);
});
