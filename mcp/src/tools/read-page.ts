import { LIMITS, type PageContent, readPageRequest } from '@signpost/contract';
import { z } from 'zod';
import { withProgress } from './capture-output.js';
import { pageArguments } from './page-arguments.js';
import { defineTool, toolInfo } from './tool.js';
import { text } from './tool-result.js';

const { url, mainContentOnly, offset, maxCharacters } = readPageRequest.shape;
const { max, default: usual } = LIMITS.toolContentCharacters;

/** The fields of the contract's request that are useful to a model, with parts short enough to read at once. */
const input = z.strictObject({
  url: url.unwrap(),
  mainContentOnly: mainContentOnly.describe('Leave out menus, adverts and the like.'),
  offset: offset.describe('How many characters to skip, as the previous answer said.'),
  maxCharacters: maxCharacters
    .unwrap()
    .max(max)
    .default(usual)
    .describe('How many characters to return at most.'),
  ...pageArguments,
});

const line = (name: string, value: string | null) => (value === null ? '' : `\n${name}: ${value}`);

/** Says which part of the page this is, and how to get the next one. */
function partWords({ content, characters, nextOffset }: PageContent, begin: number): string {
  if (content === '' && begin > 0)
    return `Nothing comes after offset ${begin}: it has ${characters} characters.`;
  if (nextOffset === null && begin === 0) return `All of its ${characters} characters:`;
  const part = `Characters ${begin} to ${begin + content.length} of ${characters}.`;
  return nextOffset === null
    ? `${part} This is the last part:`
    : `${part} Call again with offset ${nextOffset} for more:`;
}

export const readPage = defineTool({
  ...toolInfo('readPage'),
  input,
  async run(request, { backend, signal, report }) {
    const { result } = await withProgress(report, 'Reading the page', () =>
      backend.call('readPage', request, { signal }),
    );
    const head =
      `${result.title ?? 'A page without a title'}\n${result.url ?? request.url}; the page answered ${result.pageStatus}` +
      line('Author', result.author) +
      line('Published', result.publishedAt) +
      line('Language', result.language);
    return { content: [text(`${head}\n${partWords(result, request.offset)}\n\n${result.content}`)] };
  },
});
