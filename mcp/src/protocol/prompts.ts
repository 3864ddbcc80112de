import {
  type CompleteRequest,
  type CompleteResult,
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { autocompletePostcodeRequest } from '@signpost/contract';
import type { Backend } from '../client/backend.js';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { POSTCODE_TEMPLATE } from './resources.js';

const AREA_PROFILE = 'area_profile';
const MAX_POSTCODE_CHARACTERS = 20;

export const prompts: ListPromptsResult = {
  prompts: [
    {
      name: AREA_PROFILE,
      title: 'Profile of an area',
      description: 'Describes where a UK postcode is, who governs and polices it, and what lies around it.',
      arguments: [{ name: 'postcode', description: 'A UK postcode, such as SW1A 1AA.', required: true }],
    },
  ],
};

/** Handles `prompts/get`. */
export function getPrompt({ params }: GetPromptRequest): GetPromptResult {
  if (params.name !== AREA_PROFILE)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no such prompt. There is ${AREA_PROFILE}.`,
    );
  const postcode = params.arguments?.postcode?.trim().slice(0, MAX_POSTCODE_CHARACTERS) ?? '';
  if (postcode === '')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument "postcode" is missing.');
  const words =
    `Write a short profile of the area of the UK postcode ${postcode}. Look it up with lookup_postcode, then call ` +
    'find_nearest_postcodes with it as postcode, radiusMetres 500, limit 100, offset 0 and fields ' +
    '["ward","constituency"]. Name country, region, local authority, ward, constituency, police force and NHS care ' +
    'board, say how many active postcodes lie within 500 m (its total) and whether those listed share ward and ' +
    'constituency, and leave out what the directory does not know.';
  return { messages: [{ role: 'user', content: { type: 'text', text: words } }] };
}

/** The protocol's maximum number of completions. */
const MAX_VALUES = 100;

const nothing = (): CompleteResult => ({ completion: { values: [] } });

/** Whether the argument to complete is the postcode of the prompt or of the resource template. */
const isPostcode = ({ params: { ref, argument } }: CompleteRequest) =>
  argument.name === 'postcode' &&
  (ref.type === 'ref/resource' ? ref.uri === POSTCODE_TEMPLATE : ref.name === AREA_PROFILE);

/**
 * Handles `completion/complete`. Returns no completions if the argument is no postcode, its value is not valid, or the
 * backend throws SignpostApiError.
 */
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
