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
const nearest = serializer(operations.findNearestPostcodes.response.schema);

/** Belongs to whoever gets it. */
const lent = (bytes: string) => ({ bytes, keep: () => undefined });

/** In the place of the writer of bytes: records, made a text by what Fastify makes texts by. */
export class CurrentRecordWriter {
  #directory: PostcodeDirectory | undefined;

  of(table: PostcodeDirectory['table']) {
    const directory = this.#directory?.table === table ? this.#directory : new PostcodeDirectory(table);
    this.#directory = directory;
    return {
      lookup: (row: number) => lent(lookup({ result: directory.record(row) })),
      lookups(rows: readonly number[], asked: number) {
        const results = rows.map((row) => directory.record(row));
        return lent(lookups({ results, found: results.length, notFound: asked - results.length }));
      },
      nearest: (nearby: ReturnType<PostcodeDirectory['nearest']>) =>
        lent(
          nearest({
            results: nearby.map(({ row, distanceMetres }) => ({ ...directory.record(row), distanceMetres })),
          }),
        ),
    };
  }
}
