import { LIMITS } from './limits.js';

export const LINKED_FILES_PATH = '/files';

/**
 * Allows no scripts, forms, frames or outside resources. PDF viewers need inline styles and an object of this server.
 */
const POLICY =
  "default-src 'none'; object-src 'self'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The headers of a file that anyone with its address may open. The file may contain content of other people's pages.
 */
export const linkedFileHeaders = (name: string, mediaType: string) => ({
  'Content-Type': mediaType,
  'Content-Disposition': `inline; filename="${name}"`,
  // Chromium does not show PDFs in a sandbox.
  'Content-Security-Policy': mediaType === 'application/pdf' ? POLICY : `${POLICY}; sandbox`,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

export const LINKED_FILE_GONE = `There is no such file. An address works for ${LIMITS.linkedFiles.minutes} minutes. Ask the assistant to capture the page again.`;
