import { captureScreenshotRequest, type Operations } from '@signpost/contract';
import { z } from 'zod';
import type { FileAnswer } from '../client/backend.js';
import { OutputFileError } from '../files/output-folder.js';
import {
  describePage,
  formatFileSize,
  formatUrl,
  outputFileArgument,
  withProgress,
} from './capture-output.js';
import { type FittingPicture, fittingPicture } from './fitting-picture.js';
import { handOver } from './hand-over.js';
import { pageArguments } from './page-arguments.js';
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { type Content, failure, text, type ToolResult } from './tool-result.js';

const { url, width, height, fullPage, selector, colorScheme } = captureScreenshotRequest.shape;

/** The window if no device sets it. Models see a picture of this size unscaled. */
const USUAL_WINDOW = { width: 1280, height: 800 };

/** The fields of the contract's request that are useful to a model. */
const input = z.strictObject({
  url: url.unwrap(),
  fullPage,
  part: z
    .int()
    .min(1)
    .default(1)
    .describe('Which part of a picture too tall for one result; the text says how many there are.'),
  format: z.enum(['png', 'jpeg']).default('png').describe('The format of the image.'),
  selector,
  colorScheme,
  ...pageArguments,
  device: z.string().optional().describe('Show it on a phone or tablet, such as "iPhone 15".'),
  width: width.describe('Width of the window; unset: 1280, or of the device.'),
  height: height.describe('Height of the window; unset: 800, or of the device.'),
});

interface ScreenshotInput extends z.output<typeof input> {
  /** The path of the saved file. */
  readonly outputFile?: string | undefined;
  /** Whether the result has a link to the whole picture. */
  readonly link?: boolean;
}
type Picture = FileAnswer<Operations['captureScreenshot']>;

const info = toolInfo('captureScreenshot');

export const captureScreenshotToLink = defineTool({
  ...info,
  input: input.extend({
    link: z
      .boolean()
      .default(false)
      .describe('Also give an address of the whole picture, for ten minutes: to pass it on.'),
  }),
  run: screenshot,
});

export const captureScreenshotToFolder = defineTool({
  ...info,
  description: `${info.description} The picture is saved to a file too.`,
  annotations: { ...info.annotations, readOnlyHint: false },
  input: input.extend({ outputFile: outputFileArgument('home.png') }),
  run: screenshot,
});

async function screenshot(
  { part, outputFile, link = false, ...input }: ScreenshotInput,
  { backend, files, signal, report }: ToolContext,
): Promise<ToolResult> {
  const extension = input.format === 'png' ? 'png' : 'jpg';
  if (outputFile !== undefined && files.kind === 'folder') await files.check({ extension, outputFile });
  const usual = input.device === undefined ? USUAL_WINDOW : undefined;
  const request = {
    ...input,
    width: input.width ?? usual?.width,
    height: input.height ?? usual?.height,
  };
  const picture = await withProgress(report, `Capturing the page as ${request.format}`, () =>
    backend.call('captureScreenshot', request, { signal }),
  );
  const fitting = await fittingPicture(picture, part);
  const isWanted = files.kind === 'folder' || link;
  const file = { ...picture, extension, pageUrl: request.url, outputFile, link };
  const { words: whereabouts, links } = isWanted ? await fileOf(files, file) : NO_FILE;
  const { pieces } = fitting;
  const words = [describe(picture, fitting, request.url), describeShown(fitting, part), ...whereabouts].join(
    '\n',
  );
  if (pieces.length === 0) return { ...failure(words), content: [text(words), ...links] };
  const images = pieces.map(({ body, mediaType }) => ({
    type: 'image' as const,
    data: body.toString('base64'),
    mimeType: mediaType,
  }));
  return { content: [text(words), ...images, ...links] };
}

function describe({ body, mediaType, headers }: Picture, { width, height }: FittingPicture, url: string) {
  return `Screenshot of ${formatUrl(url)}: ${mediaType}, ${width} × ${height} pixels, ${formatFileSize(body.length)}; ${headers['X-Capture-Time-Ms']} ms.\n${describePage(headers)}`;
}

/** Says which part of the picture is shown, and how to see the rest. */
function describeShown({ pieces, parts, isWhole }: FittingPicture, part: number): string {
  if (isWhole) return 'Shown as it is.';
  if (part > parts)
    return `It has ${parts === 1 ? 'one part' : `${parts} parts`}: call again with "part" from 1 to ${parts}.`;
  if (pieces.length === 0)
    return 'It has too much detail to be shown: call again with a "selector", or a smaller "width" and "height".';
  if (parts === 1 && pieces.length === 1) {
    const bytes = pieces.reduce((sum, { body }) => sum + body.length, 0);
    return `Shown with fewer pixels or a stronger compression, in ${formatFileSize(bytes)}.`;
  }
  const rows = pieces.map(({ top, bottom }) => `${top} to ${bottom}`).join(', ');
  const next =
    part < parts ? ` For the part below, call again with "part": ${part + 1}, which is another request.` : '';
  return `Shown: the rows of pixels ${rows}, a picture each, part ${part} of ${parts}.${next}`;
}

const NO_FILE = { words: [], links: [] };

/**
 * Saves or links the picture. A folder that cannot be written is an error only if the caller chose the file's name.
 */
async function fileOf(
  files: ToolContext['files'],
  file: Parameters<typeof handOver>[1],
): Promise<{ words: string[]; links: readonly Content[] }> {
  try {
    const { words, links } = await handOver(files, file);
    return { words: [words], links };
  } catch (error) {
    if (file.outputFile !== undefined || !(error instanceof OutputFileError)) throw error;
    return { words: [`Not saved: ${error.message}`], links: [] };
  }
}
