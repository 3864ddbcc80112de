import { type ApiKeyOperationId, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import { getOutcode, listAreaPostcodes } from './area-tools.js';
import { capturePdfToFolder, capturePdfToLink } from './capture-pdf.js';
import { captureScreenshotToFolder, captureScreenshotToLink } from './capture-screenshot.js';
import { findPostcodesInText, measureDistance } from './distance-tools.js';
import { getUsage } from './get-usage.js';
import {
  autocompletePostcode,
  findNearestPostcodes,
  lookupPostcode,
  lookupPostcodes,
  validatePostcode,
} from './postcode-tools.js';
import { plainTool } from './plain-tool.js';
import { readPage } from './read-page.js';
import type { Tool } from './tool.js';

type HandWrittenTools = Readonly<Partial<Record<ApiKeyOperationId, Tool>>>;

/** The tags in the order in which their tools are listed. */
const TAGS: readonly Operation['tag'][] = ['Postcode', 'Capture', 'Usage'];

/**
 * The tools of all operations that the contract offers for MCP: the tool written by hand if there is one, otherwise the
 * default tool.
 */
function offeredTools(handWritten: HandWrittenTools): readonly Tool[] {
  const ids = Object.keys(operations).filter(isApiKeyOperationId);
  return TAGS.flatMap((tag) =>
    ids
      .filter((id) => {
        const operation: Operation = operations[id];
        return operation.tag === tag && operation.mcp !== undefined;
      })
      .map((id) => handWritten[id] ?? plainTool(id)),
  );
}

const withoutFiles = {
  lookupPostcode,
  lookupPostcodes,
  validatePostcode,
  findNearestPostcodes,
  autocompletePostcode,
  getOutcode,
  listAreaPostcodes,
  measureDistance,
  findPostcodesInText,
  readPage,
  getUsage,
};

/** All tools. Captured files are saved to the output folder. */
export const toolsWithFolder = offeredTools({
  ...withoutFiles,
  captureScreenshot: captureScreenshotToFolder,
  capturePdf: capturePdfToFolder,
});

/** All tools. Captured files are kept for links. */
export const toolsWithLinks = offeredTools({
  ...withoutFiles,
  captureScreenshot: captureScreenshotToLink,
  capturePdf: capturePdfToLink,
});

/** What clients are told about a tool. */
export const toolDescription = ({
  name,
  title,
  description,
  annotations,
  inputSchema,
  outputSchema,
}: Tool) => ({
  name,
  title,
  description,
  inputSchema,
  ...(outputSchema === undefined ? {} : { outputSchema }),
  annotations: { ...annotations },
});
