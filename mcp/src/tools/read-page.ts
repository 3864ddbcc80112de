import { LIMITS, type PageContent, readPageRequest } from '@signpost/contract';
import { z } from 'zod';
import { describeRest, withProgress } from './capture-output.js';
import { markedText, quoted, quotedUrl } from './foreign-text.js';
import { pageArguments } from './page-arguments.js';
import { defineTool, toolInfo } from './tool.js';
import { text } from './tool-result.js';

const { url, mainContentOnly, headings, offset, maxCharacters } = readPageRequest.shape;
const { max, default: usual } = LIMITS.toolContentCharacters;
const { min: fewest } = LIMITS.contentCharacters;
const { max: maxTexts } = LIMITS.findTexts;

/** The tool's arguments. The maximum of `maxCharacters` is lower than in the contract. */
const input = z.strictObject({
  url: url.unwrap(),
  mainContentOnly: mainContentOnly.describe('Leave out menus and adverts.'),
  // The maximum length of the selector is not declared, because it would cost every model tokens. The server checks the
  // length.
  selector: z.string().optional().describe('Read only the first match of this CSS selector.'),
  findTexts: z
    .array(z.string())
    .max(maxTexts)
    .optional()
    .describe('Return only the passages around these texts.'),
  headings: headings.describe('Begin with all headings and offsets.'),
  offset: offset.describe('Characters to skip.'),
  maxCharacters: maxCharacters.unwrap().max(max).default(usual).describe('Characters to return at most.'),
  ...pageArguments,
});

const line = (name: string, value: string | null) => (value === null ? '' : `\n${name}: ${quoted(value)}`);

/**
 * Says which part of the page's text the response has, and how to get the next part; or that there is no text, or none
 * after `begin`.
 */
function partWords({ content, characters, nextOffset }: PageContent, begin: number): string {
  if (characters === 0)
    return 'The page shows no text. It may be a picture or draw its text: look at it with capture_screenshot. If it loads late, call again with waitMs 5000, or with mainContentOnly false.';
  if (content === '' && begin > 0)
    return `Nothing comes after offset ${begin}: it has ${characters} characters.`;
  if (nextOffset === null && begin === 0) return `All of its ${characters} characters:`;
  const part = `Characters ${begin} to ${begin + content.length} of ${characters}.`;
  return nextOffset === null
    ? `${part} This is the last part:`
    : `${part} Call again with offset ${nextOffset} for more:`;
}

/** Says how many passages there are, and which texts were not found. */
function foundWords({ passages, characters }: PageContent, findTexts: readonly string[]): string {
  const found = passages ?? [];
  const missing = findTexts.filter((each) => found.every(({ findText }) => findText !== each));
  const number = found.length === 1 ? '1 passage' : `${found.length} passages`;
  return `${number} of its ${characters} characters. Call again with an offset to read on from there.${line('Not found', missing.length === 0 ? null : missing.join(', '))}`;
}

const headingLines = ({ headings }: PageContent) =>
  (headings ?? []).map(
    ({ level, text: words, offset }) => `${'#'.repeat(level)} ${words} (offset ${offset})`,
  );

const passageLines = ({ passages }: PageContent) =>
  (passages ?? []).map(({ findText, offset, passage }) => `[${findText}, offset ${offset}]\n${passage}`);

export const readPage = defineTool({
  ...toolInfo('readPage'),
  input,
  async run(request, { backend, signal, report }) {
    const { findTexts: texts } = request;
    const sent = texts === undefined ? request : { ...request, maxCharacters: fewest };
    let rest: string | undefined;
    const onHeaders = (headers: Readonly<Record<string, string>>) => {
      rest = headers['x-page-rest'];
    };
    const { result } = await withProgress(report, 'Reading the page', () =>
      backend.call('readPage', sent, { signal, onHeaders }),
    );
    const head =
      `The page: ${result.title === null ? 'without a title' : quoted(result.title)}, at ${quotedUrl(result.url ?? request.url)}, answered ${result.pageStatus}.${describeRest(rest)}` +
      line('Author', result.author) +
      line('Published', result.publishedAt) +
      line('Updated', result.modifiedAt) +
      line('Language', result.language);
    const parts = texts === undefined ? [result.content] : passageLines(result);
    const headings = headingLines(result).join('\n');
    const pageText = [headings, ...parts].filter((each) => each !== '').join('\n\n');
    const words = texts === undefined ? partWords(result, request.offset) : foundWords(result, texts);
    return { content: [text(`${head}\n${words}${pageText === '' ? '' : `\n${markedText(pageText)}`}`)] };
  },
});
