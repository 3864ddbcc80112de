import { captureScreenshotRequest, IMAGE_FORMATS, type Operations } from '@signpost/contract';
import { z } from 'zod';
import type { FileAnswer } from '../client/backend.js';
import { OutputFileError } from '../files/output-folder.js';
import {
  describePage,
  describeSource,
  formatFileSize,
  outputFileArgument,
  withProgress,
} from './capture-output.js';
import { deviceArgument } from './device-argument.js';
import { type FittingPicture, fittingPicture } from './fitting-picture.js';
import { handOver } from './hand-over.js';
import { pageArguments, pageSourceArguments } from './page-arguments.js';
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { type Content, failure, text, type ToolResult } from './tool-result.js';

const { width, height, fullPage, selector, colorScheme } = captureScreenshotRequest.shape;

/** The default size of the window, if no device is chosen. Models see a picture of this size without scaling. */
const USUAL_WINDOW = { width: 1280, height: 800 };

/** The arguments that the tools of this file share. */
const input = z.strictObject({
  ...pageSourceArguments,
  fullPage,
  part: z
    .int()
    .min(1)
    .default(1)
    .describe('Which part of a picture too tall for one result; the text says how many there are.'),
  format: z.enum(IMAGE_FORMATS).default('png').describe('The format of the image.'),
  selector,
  colorScheme,
  ...pageArguments,
  device: deviceArgument,
  width: width.describe('Width of the window; unset: 1280, or of the device.'),
  height: height.describe('Height of the window; unset: 800, or of the device.'),
});

interface ScreenshotInput extends z.output<typeof input> {
  /** The path that the caller chose for the file, below the output folder. */
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

const EXTENSIONS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const;

async function screenshot(
  { part, outputFile, link = false, ...input }: ScreenshotInput,
  { backend, files, signal, report }: ToolContext,
): Promise<ToolResult> {
  const extension = EXTENSIONS[input.format];
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
  const isScreen = !input.fullPage && input.selector === undefined;
  const fitting = await fittingPicture(picture, { part, isScreen });
  const file = { ...picture, extension, pageUrl: request.url ?? '', outputFile, link };
  const { words: whereabouts, links } =
    files.kind === 'folder' || link ? await fileOf(files, file) : NOT_LINKED;
  const { pieces } = fitting;
  const words = [describe(picture, fitting, request), describeShown(fitting, part), ...whereabouts].join(
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

function describe(
  { body, mediaType, headers }: Picture,
  { width, height }: FittingPicture,
  request: { readonly url?: string | undefined },
) {
  return `Screenshot of ${describeSource(request)}: ${mediaType}, ${width} × ${height} pixels, ${formatFileSize(body.length)}; ${headers['X-Capture-Time-Ms']} ms.\n${describePage(headers)}`;
}

/** Says which part of the picture is shown and in which format, and how to see the rest; or why no part is shown. */
function describeShown({ pieces, parts, isWhole }: FittingPicture, part: number): string {
  if (isWhole) return 'Shown as it is.';
  if (part > parts)
    return `It has ${parts === 1 ? 'one part' : `${parts} parts`}: call again with "part" from 1 to ${parts}.`;
  const [first] = pieces;
  if (first === undefined)
    return 'It has too much detail to be shown: call again with a "selector", or a smaller "width" and "height".';
  if (parts === 1 && pieces.length === 1)
    return `Shown smaller or with a stronger compression: ${first.mediaType}, ${formatFileSize(first.body.length)}.`;
  const rows = pieces.map(({ top, bottom }) => `${top} to ${bottom}`).join(', ');
  const next =
    part < parts ? ` For the part below, call again with "part": ${part + 1}, which is another request.` : '';
  return `Shown: the rows of pixels ${rows}, a picture each (${first.mediaType}), part ${part} of ${parts}.${next}`;
}

const NOT_LINKED = {
  words: ['If you see no picture, call again with "link": true to get an address of the file.'],
  links: [],
};

/**
 * Saves the picture or makes a link to it. If that throws an OutputFileError, rethrows it only if the caller chose the
 * file's name.
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
