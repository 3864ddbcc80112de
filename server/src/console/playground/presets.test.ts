import { operations, type Operation } from '@signpost/contract';
import { bodyOf } from '../request/form-state.js';
import { requestFields } from '../request/request-fields.js';
import { OWN_PAGE, PRESETS } from './presets.js';

const all = Object.entries(PRESETS).flatMap(([id, presets]) =>
  presets.map(({ title, fields }) => [id, title, fields] as const),
);
const table: Readonly<Record<string, Operation>> = operations;

test.each(all)('%s: the contract takes “%s”', (id, _title, fields) => {
  const operation = table[id];
  if (operation?.request === undefined) throw new Error(`${id} takes no request.`);
  const own = fields['url'] === OWN_PAGE ? { url: 'http://127.0.0.1:3000/' } : {};
  const body = bodyOf(requestFields(operation), { ...fields, ...own });
  expect(operation.request.safeParse(body).error).toBeUndefined();
});
