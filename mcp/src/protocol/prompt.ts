import {
  ErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';

export const AREA_PROFILE = 'area_profile';
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

/** Answers `prompts/get`. */
export function getPrompt({ params }: GetPromptRequest): GetPromptResult {
  if (params.name !== AREA_PROFILE)
    throw new McpError(ErrorCode.InvalidParams, `There is no such prompt. There is ${AREA_PROFILE}.`);
  const postcode = params.arguments?.postcode?.trim().slice(0, MAX_POSTCODE_CHARACTERS) ?? '';
  if (postcode === '') throw new McpError(ErrorCode.InvalidParams, 'The argument "postcode" is missing.');
  const words =
    `Write a short profile of the area of the UK postcode ${postcode}. Look it up with lookup_postcode, then pass its ` +
    'coordinates to find_nearest_postcodes with radiusMetres 500. Name country, region, local authority, ward, ' +
    'constituency, police force and NHS care board, say how many active postcodes lie within 500 m and whether they ' +
    'share ward and constituency, and leave out what the directory does not know.';
  return { messages: [{ role: 'user', content: { type: 'text', text: words } }] };
}
