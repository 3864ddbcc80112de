import { LIMITS } from '@signpost/contract';
import { OutputFileError } from '../files/output-folder.js';
import { fileNameOf } from '../files/output-path.js';
import { formatFileSize } from './capture-output.js';
import type { ToolContext } from './tool.js';
import type { Content } from './tool-result.js';

interface CapturedFile {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly extension: string;
  readonly pageUrl: string;
  readonly outputFile?: string | undefined;
  readonly link?: boolean | undefined;
}

const { minutes, maxBytes } = LIMITS.linkedFiles;

/**
 * Saves a captured file, or keeps it for a link. Returns the words that tell the caller how to get it and, for a kept
 * file with `link`, a resource_link: several clients fail on one, so it is sent only on request. Throws an
 * OutputFileError if the file cannot be saved or is too large to keep.
 */
export async function handOver(
  files: ToolContext['files'],
  file: CapturedFile,
): Promise<{ readonly words: string; readonly links: readonly Content[] }> {
  if (files.kind === 'folder') return { words: `Saved to ${await files.save(file)}`, links: [] };
  const { body, mediaType, extension, pageUrl, link = false } = file;
  const name = `${fileNameOf(pageUrl, new Date())}.${extension}`;
  const uri = await files.keep({ name, mediaType, body });
  if (uri === undefined)
    throw new OutputFileError(
      `The file has ${formatFileSize(body.length)}, more than the ${formatFileSize(maxBytes)} that can be kept. Ask for less of the page, or tell the user to get it from the HTTP interface.`,
    );
  return {
    words: `Give the user this address of the file, which opens in a browser without a key for ${minutes} minutes: ${uri}`,
    links: link ? [{ type: 'resource_link', uri, name, mimeType: mediaType, size: body.length }] : [],
  };
}
