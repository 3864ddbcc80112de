import { autocompletePostcodeRequest } from '@signpost/contract';
import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import type { Backend } from '../client/backend.js';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { AREA_PROFILE } from './prompt.js';
import { POSTCODE_TEMPLATE } from './resources.js';

/** As many as the protocol lets an answer hold. */
const MAX_VALUES = 100;

const nothing = (): CompleteResult => ({ completion: { values: [] } });

/** Whether it is a postcode that is being completed: of the resource or of the prompt. */
const isPostcode = ({ params: { ref, argument } }: CompleteRequest) =>
  argument.name === 'postcode' &&
  (ref.type === 'ref/resource' ? ref.uri === POSTCODE_TEMPLATE : ref.name === AREA_PROFILE);

/** Answers `completion/complete`. A person is typing: what cannot be answered now is left out, not waited for. */
export async function complete(
  backend: Backend,
  request: CompleteRequest,
  signal: AbortSignal,
): Promise<CompleteResult> {
  const partial = request.params.argument.value;
  if (!isPostcode(request) || !autocompletePostcodeRequest.safeParse({ partial }).success) return nothing();
  try {
    const { postcodes } = await backend.call(
      'autocompletePostcode',
      { partial, limit: MAX_VALUES },
      { signal },
    );
    return { completion: { values: postcodes, hasMore: postcodes.length === MAX_VALUES } };
  } catch (error) {
    if (error instanceof SignpostApiError) return nothing();
    throw error;
  }
}
