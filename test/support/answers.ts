import { errorBody } from '@signpost/contract';
import type { z } from 'zod';

/** An answer whose JSON body has been checked against a schema of the contract. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Reads a JSON answer; fails where its body is not what the schema says. */
export async function answerOf<Schema extends z.ZodType>(
  sent: Promise<Response>,
  schema: Schema,
): Promise<Answer<z.output<Schema>>> {
  const response = await sent;
  return { status: response.status, headers: response.headers, body: schema.parse(await response.json()) };
}

/** Reads a refusal: nothing but `{error}`. */
export const refusalOf = (sent: Promise<Response>) => answerOf(sent, errorBody.strict());

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Width and height as a PNG says them itself. */
export const pngSize = (bytes: Buffer) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
