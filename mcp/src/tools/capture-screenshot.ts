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
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { failure, text, type ToolResult } from './tool-result.js';

const { url, width, height, fullPage, selector, waitForSelector } = captureScreenshotRequest.shape;

/** What of the contract's request a model needs, with a window that it sees as it is. */
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
  waitForSelector,
  width: width.unwrap().default(1280).describe('Width of the window in pixels; a phone has about 390.'),
  height: height.unwrap().default(800).describe('Height of the window in pixels; a phone has about 844.'),
});
const inputWithFile = input.extend({ outputFile: outputFileArgument('home.png') });

type ScreenshotInput = z.output<typeof input>;
type Picture = FileAnswer<Operations['captureScreenshot']>;

const info = toolInfo('captureScreenshot');

export const captureScreenshot = defineTool({
  ...info,
  input,
  run: (request, context) => screenshot(request, undefined, context),
});

export const captureScreenshotToFile = defineTool({
  ...info,
  description: `${info.description} The picture is saved to a file too.`,
  annotations: { ...info.annotations, readOnlyHint: false },
  input: inputWithFile,
  run: ({ outputFile, ...request }, context) => screenshot(request, outputFile, context),
});

async function screenshot(
  { part, ...request }: ScreenshotInput,
  outputFile: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { backend, signal, report } = context;
  const picture = await withProgress(
    report,
    `Capturing ${request.width} × ${request.height} as ${request.format}`,
    () => backend.call('captureScreenshot', request, { signal }),
  );
  const fitting = await fittingPicture(picture, part);
  const saved = await formatSaved(picture, request.url, outputFile, context);
  const words = [describe(picture, fitting, request.url), describeShown(fitting, part), ...saved].join('\n');
  const { pieces } = fitting;
  if (pieces.length === 0) return failure(words);
  const images = pieces.map(({ body, mediaType }) => ({
    type: 'image' as const,
    data: body.toString('base64'),
    mimeType: mediaType,
  }));
  return { content: [text(words), ...images] };
}

function describe({ body, mediaType, headers }: Picture, { width, height }: FittingPicture, url: string) {
  return `Screenshot of ${formatUrl(url)}: ${mediaType}, ${width} × ${height} pixels, ${formatFileSize(body.length)}; ${headers['X-Capture-Time-Ms']} ms.\n${describePage(headers)}`;
}

/** What the model sees of the picture, and how to see the rest. */
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
    part < parts
      ? ` For what is below them call again with "part": ${part + 1}, which is another request.`
      : '';
  return `Shown: the rows of pixels ${rows}, a picture each, part ${part} of ${parts}.${next}`;
}

/** Saves the picture as it was asked for; a folder that cannot be written matters only to who asked for the file. */
async function formatSaved(
  { body, mediaType }: Picture,
  pageUrl: string,
  outputFile: string | undefined,
  { files }: ToolContext,
): Promise<string[]> {
  if (files === undefined) return [];
  const extension = mediaType === 'image/png' ? 'png' : 'jpg';
  try {
    return [`Saved to ${await files.save({ body, extension, pageUrl, outputFile })}`];
  } catch (error) {
    if (outputFile !== undefined || !(error instanceof OutputFileError)) throw error;
    return [`Not saved: ${error.message}`];
  }
}
