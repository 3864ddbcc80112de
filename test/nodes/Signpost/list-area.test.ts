import type { IHttpRequestOptions } from 'n8n-workflow';
import { z } from 'zod';
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

const page = z.object({ offset: z.number(), limit: z.number() });

async function run(
  parameters: Readonly<Record<string, unknown>>,
  answer: (request: IHttpRequestOptions) => unknown = () => success(found),
) {
  const { context, requests } = fakeExecution({ operation: listAreaPostcodes, parameters, answer });
  const client = new ServiceClient(context, signpostService);
  const items = await runOperation(context, client, listAreaPostcodes);
  const bodies = requests.map(({ body }): unknown => body);
  return { items: items.map(({ json }) => json), body: bodies[0], bodies };
}

const byName = { areaCode: '', kind: 'ward', areaName: ' Abbey ', maxResults: 2 };

test('List Area returns an item for each postcode, and sends no empty field', async () => {
  const { items, body } = await run(byName);
  expect(body).toEqual({ kind: 'ward', name: 'Abbey', limit: 2 });
  expect(items).toEqual([{ postcode: 'IG11 1AA' }, { postcode: 'IG11 1AB' }]);
});

test('List Area can return one item with the area, its total and the list', async () => {
  const { items } = await run({ ...byName, oneItemPerResult: false });
  expect(items).toEqual([found]);
});

test('List Area can find an area by its code, which is then required', async () => {
  const byCode = { findBy: 'code', areaCode: 'E05014053', kind: 'ward', areaName: 'left over' };
  expect((await run(byCode)).body).toEqual({ code: 'E05014053', limit: 100 });
  await expect(run({ ...byCode, areaCode: '' })).rejects.toMatchObject({ message: 'Area Code is empty' });
  await expect(run({ ...byName, areaName: '' })).rejects.toMatchObject({ message: 'Area Name is empty' });
});

test('Return All of List Area reads all pages from the offset to the end, even if a limit is set', async () => {
  const codes = Array.from({ length: 2_100 }, (_, at) => `A${at}`);
  const { items, bodies } = await run({ ...byName, returnAll: true, options: { offset: 50 } }, (request) => {
    const { offset, limit } = page.parse(request.body);
    return success({ ...found, total: codes.length, postcodes: codes.slice(offset, offset + limit) });
  });
  expect(items).toEqual(codes.slice(50).map((postcode) => ({ postcode })));
  expect(bodies).toEqual(
    [50, 1_050, 2_050].map((offset) => ({ kind: 'ward', name: 'Abbey', limit: 1_000, offset })),
  );
});

test('Return All of List Area ends when the server returns an empty page', async () => {
  const { items, bodies } = await run({ ...byName, returnAll: true, oneItemPerResult: false }, () =>
    success({ ...found, postcodes: [] }),
  );
  expect(items).toEqual([{ ...found, postcodes: [] }]);
  expect(bodies).toHaveLength(1);
});
