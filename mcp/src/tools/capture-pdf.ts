import { capturePdfRequest } from '@signpost/contract';
import { z } from 'zod';
import {
  describePage,
  describeSource,
  formatFileSize,
  outputFileArgument,
  withProgress,
} from './capture-output.js';
import { handOver } from './hand-over.js';
import { pageArguments, pageSourceArguments } from './page-arguments.js';
import { defineTool, toolInfo, type ToolContext } from './tool.js';
import { text, type ToolResult } from './tool-result.js';

const info = toolInfo('capturePdf');
const extension = 'pdf';

const { format, landscape, printBackground, scale, displayHeaderFooter, ...shape } = capturePdfRequest.shape;
const { marginTop, marginBottom, marginLeft, marginRight, pageRanges, colorScheme } = shape;

/** The arguments that the tools of this file share. */
const input = z.strictObject({
  ...pageSourceArguments,
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
  colorScheme,
  ...pageArguments,
});

export const capturePdfToLink = defineTool({
  ...info,
  description: `${info.description} The answer has its address, for ten minutes.`,
  input: input.extend({
    link: z
      .boolean()
      .default(false)
      .describe('Give the address as a resource_link too, not only in the text.'),
  }),
  run: ({ link, ...request }, context) => pdf(request, { link }, context),
});

export const capturePdfToFolder = defineTool({
  ...info,
  description: `${info.description} It is saved to a file, whose path the answer names.`,
  annotations: { ...info.annotations, readOnlyHint: false },
  input: input.extend({ outputFile: outputFileArgument('page.pdf') }),
  run: ({ outputFile, ...request }, context) => pdf(request, { outputFile }, context),
});

async function pdf(
  request: z.output<typeof input>,
  { outputFile, link }: { readonly outputFile?: string | undefined; readonly link?: boolean | undefined },
  { backend, files, signal, report }: ToolContext,
): Promise<ToolResult> {
  if (files.kind === 'folder') await files.check({ extension, outputFile });
  const { body, mediaType, headers } = await withProgress(report, `Printing on ${request.format}`, () =>
    backend.call('capturePdf', request, { signal }),
  );
  const { words, links } = await handOver(files, {
    body,
    mediaType,
    extension,
    outputFile,
    link,
    pageUrl: request.url ?? '',
  });
  const pages = headers['X-Page-Count'];
  const about = `PDF of ${describeSource(request)}: ${pages} ${pages === 1 ? 'page' : 'pages'}, ${formatFileSize(body.length)}; ${headers['X-Generation-Time-Ms']} ms.`;
  return { content: [text([about, describePage(headers), words].join('\n')), ...links] };
}
