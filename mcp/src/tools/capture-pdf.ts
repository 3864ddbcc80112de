import { capturePdfRequest } from '@signpost/contract';
import { z } from 'zod';
import { fileNameOf } from '../files/output-path.js';
import {
  describePage,
  outputFileArgument,
  formatUrl,
  formatFileSize,
  withProgress,
} from './capture-output.js';
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { failure, MAX_RESULT_BYTES, text, type ToolResult } from './tool-result.js';

const info = toolInfo('capturePdf');

const { url, format, landscape, printBackground, scale, displayHeaderFooter, ...shape } =
  capturePdfRequest.shape;
const { marginTop, marginBottom, marginLeft, marginRight, pageRanges, waitForSelector } = shape;

/** What of the contract's request a model needs. */
const input = z.strictObject({
  url: url.unwrap(),
  format,
  landscape,
  printBackground,
  scale,
  displayHeaderFooter,
  marginTop,
  marginBottom: marginBottom.describe('Margin at the bottom, as marginTop.'),
  marginLeft: marginLeft.describe('Margin at the left; unset: 0.'),
  marginRight: marginRight.describe('Margin at the right; unset: 0.'),
  pageRanges,
  waitForSelector,
});

/** What a file may have that goes into the result as base64, beside the words. */
const MAX_EMBEDDED_BYTES = Math.floor(((MAX_RESULT_BYTES - 16_000) / 4) * 3);

export const capturePdf = defineTool({
  ...info,
  description: `${info.description} The answer holds the file.`,
  input,
  run: (request, context) => pdf(request, undefined, context),
});

export const capturePdfToFile = defineTool({
  ...info,
  description: `${info.description} It is saved to a file, whose path the answer names.`,
  annotations: { ...info.annotations, readOnlyHint: false },
  input: input.extend({ outputFile: outputFileArgument('page.pdf') }),
  run: ({ outputFile, ...request }, context) => pdf(request, outputFile, context),
});

async function pdf(
  request: z.output<typeof input>,
  outputFile: string | undefined,
  { backend, files, signal, report }: ToolContext,
): Promise<ToolResult> {
  const { body, mediaType, headers } = await withProgress(report, `Printing on ${request.format}`, () =>
    backend.call('capturePdf', request, { signal }),
  );
  const pages = headers['X-Page-Count'];
  const words = `PDF of ${formatUrl(request.url)}: ${pages} ${pages === 1 ? 'page' : 'pages'}, ${formatFileSize(body.length)}; ${headers['X-Generation-Time-Ms']} ms.\n${describePage(headers)}`;
  if (files !== undefined) {
    const path = await files.save({ body, extension: 'pdf', pageUrl: request.url, outputFile });
    return { content: [text(`${words}\nSaved to ${path}`)] };
  }
  if (body.length > MAX_EMBEDDED_BYTES)
    return failure(
      `${words}\nIt is larger than the ${formatFileSize(MAX_EMBEDDED_BYTES)} that a tool's result can hold. Call again with printBackground false or a smaller scale, or tell the user to get it from POST /api/pdf, or to run signpost-mcp on their own machine, which saves files.`,
    );
  const uri = `signpost://captures/${fileNameOf(request.url, new Date())}.pdf`;
  return {
    content: [
      text(`${words}\nThe file is embedded in this result.`),
      { type: 'resource', resource: { uri, mimeType: mediaType, blob: body.toString('base64') } },
    ],
  };
}
