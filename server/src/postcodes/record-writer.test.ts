import { postcodeRecord } from '@signpost/contract';
import { RecordWriter } from './record-writer.js';
import { smallDirectory } from './testing/small-directory.js';

const data = smallDirectory([{ postcode: 'SW1A 0AA', at: [51.49984, -0.12463] }]);

test('a record has the fields of the contract in its order', () => {
  const record: unknown = JSON.parse(`{${new RecordWriter(data).members(0)}}`);
  expect(Object.keys(postcodeRecord.strict().parse(record))).toEqual(Object.keys(postcodeRecord.shape));
});

test.each(['St John\'s "Old" Town', 'Ynys Môn', 'Tŷ Gwyn \\ 4\u0007'])(
  'the name %j is quoted as JSON',
  (name) => {
    const ward = { codes: new Uint8Array([1]), values: [null, name] };
    const writer = new RecordWriter({ ...data, names: { ...data.names, ward } });
    expect(JSON.parse(`{${writer.members(0)}}`)).toMatchObject({ ward: name, region: null });
  },
);
