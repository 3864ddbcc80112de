import { captureScreenshotRequest } from '@signpost/contract';
import { z } from 'zod';
import { OutputFileError } from '../files/output-folder.js';
import {
  captureFitting,
  type FittingCapture,
  imageSize,
  type PictureRequest,
  SEEN_PIXELS,
} from './fitting-capture.js';
import { outputFileArgument, formatUrl, formatFileSize, withProgress } from './capture-output.js';
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { text, type ToolResult } from './tool-result.js';

const { url, width, height, fullPage, selector, waitForSelector } = captureScreenshotRequest.shape;

/** What of the contract's request a model needs, with a window that it sees as it is. */
const input = z.strictObject({
  url,
  fullPage,
  format: z.enum(['png', 'jpeg']).default('png').describe('The format of the image.'),
  selector,
  waitForSelector,
  width: width.unwrap().default(1280).describe('Width of the window in pixels; a phone has about 390.'),
  height: height.unwrap().default(800).describe('Height of the window in pixels; a phone has about 844.'),
});
const inputWithFile = input.extend({ outputFile: outputFileArgument('home.png') });

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
  request: z.output<typeof input>,
  outputFile: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { backend, signal, report } = context;
  const capture = (once: PictureRequest) =>
    withProgress(report, `Capturing ${once.width} × ${once.height} as ${once.format}`, () =>
      backend.call('captureScreenshot', once, { signal }),
    );
  const captured = await captureFitting(capture, request);
  const saved = await formatSaved(captured, request, outputFile, context);
  const words = text([describe(captured, request), saved].filter((line) => line !== '').join('\n'));
  const { shown } = captured;
  if (shown === undefined) return { content: [words], isError: true };
  return {
    content: [words, { type: 'image', data: shown.body.toString('base64'), mimeType: shown.mediaType }],
  };
}

function sizeOf(body: Buffer): string {
  const size = imageSize(body);
  return `${size === undefined ? '' : `${size.width} × ${size.height} pixels, `}${formatFileSize(body.length)}`;
}

function describe({ asked, shown, remarks }: FittingCapture, { url }: PictureRequest): string {
  const { headers } = asked;
  const lines = [
    `Screenshot of ${formatUrl(url)}: ${asked.mediaType}, ${sizeOf(asked.body)}; the page answered ${headers['X-Page-Status']}; ${headers['X-Capture-Time-Ms']} ms.`,
  ];
  if (remarks.length > 0) lines.push(`Too large for a tool's result: ${remarks.join('; ')}.`);
  if (shown === undefined) {
    lines.push(
      'No picture was small enough to show. Call again with a smaller width and height, without fullPage.',
    );
    return lines.join('\n');
  }
  if (shown !== asked) lines.push(`The picture shown: ${shown.mediaType}, ${sizeOf(shown.body)}.`);
  const size = imageSize(shown.body);
  if (size !== undefined && Math.max(size.width, size.height) > SEEN_PIXELS)
    lines.push(`Models see about ${SEEN_PIXELS} pixels on the long edge: small text may not be legible.`);
  return lines.join('\n');
}

/** Saves the picture as it was asked for; a folder that cannot be written matters only to who asked for the file. */
async function formatSaved(
  { asked }: FittingCapture,
  { url }: PictureRequest,
  outputFile: string | undefined,
  { files }: ToolContext,
): Promise<string> {
  if (files === undefined) return '';
  const extension = asked.mediaType === 'image/png' ? 'png' : 'jpg';
  try {
    return `Saved to ${await files.save({ body: asked.body, extension, pageUrl: url, outputFile })}`;
  } catch (error) {
    if (outputFile !== undefined || !(error instanceof OutputFileError)) throw error;
    return `Not saved: ${error.message}`;
  }
}
