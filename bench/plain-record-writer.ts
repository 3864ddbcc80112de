import { operations } from '@signpost/contract';
import { PostcodeDirectory } from '@signpost/server/directory';
import fastJsonStringify from 'fast-json-stringify';
import { z } from 'zod';

function serializer(schema: z.ZodType): (answer: object) => string {
  const asJson: object = z.toJSONSchema(schema, { io: 'output', target: 'draft-7' });
  const serialize = fastJsonStringify(asJson);
  return (answer) => String(serialize(answer));
}

const lookup = serializer(operations.lookupPostcode.response.schema);
const lookups = serializer(operations.lookupPostcodes.response.schema);
const nearest = serializer(
  operations.findNearestPostcodes.response.schema.extend({
    results: operations.reverseGeocode.response.schema.shape.results,
  }),
);

type Nearby = ReturnType<PostcodeDirectory['nearest']>[number];
type Missing = ReturnType<PostcodeDirectory['rowsOf']>['missing'];

/**
 * In a benchmark, replaces the server's class of this name, which writes responses with postcode records. Makes the
 * JSON with the serializer that Fastify uses.
 */
export class CurrentRecordWriter {
  #directory: PostcodeDirectory | undefined;

  of(table: PostcodeDirectory['table']) {
    const directory = this.#directory?.table === table ? this.#directory : new PostcodeDirectory(table);
    this.#directory = directory;
    return {
      lookup: (row: number) => Buffer.from(lookup({ result: directory.record(row) })),
      lookups(rows: readonly number[], missing: Missing) {
        const results = rows.map((row, index) => ({ ...directory.record(row), index }));
        return Buffer.from(lookups({ results, found: rows.length, notFound: missing.length, missing }));
      },
      nearest(nearby: readonly (Nearby | undefined)[], total?: number) {
        const results = nearby.map((found) =>
          found === undefined
            ? null
            : { ...directory.record(found.row), distanceMetres: found.distanceMetres },
        );
        return Buffer.from(nearest(total === undefined ? { results } : { results, total }));
      },
    };
  }
}
