import { errorBody, ERRORS, type Operation } from '@signpost/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { WireAnswer } from './http-exchange.js';

const pointer = (...parts: string[]) =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

/** The words of a refusal, which is nothing but `{error}`. */
export function refusalIn({ mediaType, body }: WireAnswer): string {
  expect(mediaType).toBe('application/json');
  const { error } = errorBody.strict().parse(JSON.parse(body.toString()));
  expect(error).not.toBe('');
  return error;
}

/** Takes a server's own OpenAPI document; gives what holds for every answer of an operation, whatever was sent. */
export function answersOf(document: unknown) {
  if (typeof document !== 'object' || document === null) throw new Error('No OpenAPI document.');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi.json', false, false);

  /** Fails where a body is not what the document says of it. */
  function expectDocumented({ path, method }: Operation, status: number, body: unknown): void {
    const place = pointer('paths', path, method.toLowerCase(), 'responses', String(status));
    const $ref = `openapi.json#/${place}/${pointer('content', 'application/json', 'schema')}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    expect([validate(body), validate.errors]).toEqual([true, null]);
  }

  return (asked: Operation, answer: WireAnswer): void => {
    const { status, mediaType, body } = answer;
    const documented = asked.errors.map((name) => ERRORS[name].status);
    expect([200, ...documented]).toContain(status);
    expect(status).not.toBe(500);
    if (status !== 200) {
      expectDocumented(asked, status, { error: refusalIn(answer) });
    } else if (asked.response.kind === 'json') {
      expect(mediaType).toBe('application/json');
      const answered: unknown = JSON.parse(body.toString());
      expectDocumented(asked, 200, answered);
    } else {
      expect(asked.response.mediaTypes).toContain(mediaType);
      const signatures: readonly string[] = ['\x89PNG', '\xff\xd8\xff\xe0', '%PDF'];
      expect(signatures).toContain(body.subarray(0, 4).toString('latin1'));
    }
  };
}
