import { LIMITS, type ReadPageRequest } from '@signpost/contract';
import { z } from 'zod';
import type { PageText } from '../capture-service.js';
import { escapeHtml } from '../file/csv-table.js';
import { encodeWindows1252, WINDOWS_1252 } from '../../platform/windows-1252.js';
import type { OpenPage } from './open-page.js';

/**
 * Evaluates to the address, the character set and the text of a document that the browser shows as text, such as JSON.
 * For a document that it shows as a tree, such as a feed, the text is the source. Long texts are cut. Null for any
 * other document.
 */
const TEXT = `(() => {
  const type = document.contentType;
  const isText = /^text\\/(?!html$|xml$)|^application\\/(?:.+\\+)?json$|javascript$/u.test(type);
  const shown = isText ? document.querySelector('body > pre') : null;
  const isTree = /xml$/u.test(type) && type !== 'application/xhtml+xml';
  // The header after the tree is the browser's own, too. It is checked because a document may have an element with the
  // same id.
  const tree = isTree ? document.querySelector('body > #webkit-xml-viewer-source-xml:first-child:has(+ .header)') : null;
  const serialize = (node) => new XMLSerializer().serializeToString(node);
  if (shown === null && tree === null) return null;
  const text = shown?.textContent ?? [...tree.childNodes].map(serialize).join('\\n');
  return { url: location.href, charset: document.characterSet, text: text.slice(0, ${LIMITS.pageTextCharacters.max}) };
})()`;

/** Values for those fields of a page's text that files do not have. */
export const EMPTY_PAGE_FIELDS = {
  title: null,
  description: null,
  language: null,
  author: null,
  publishedAt: null,
  modifiedAt: null,
  canonicalUrl: null,
  siteName: null,
  image: null,
  headings: [],
};

const textDocument = z.object({ url: z.string(), charset: z.string(), text: z.string() }).nullable();

/**
 * Restores a text that was UTF-8 but that the browser read as Windows-1252, as it does if no character set is stated.
 * Returns a text unchanged if its bytes are not valid UTF-8.
 */
function repairEncoding(text: string): string {
  // The last character of a text that was cut may not be complete.
  const stream = text.length === LIMITS.pageTextCharacters.max;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(encodeWindows1252(text), { stream });
  } catch {
    return text;
  }
}

/**
 * Reads the text of a document that the browser shows as text, or the source of one that it shows as a tree; undefined
 * for any other document, and if the request has a selector.
 */
export async function readTextDocument(
  open: OpenPage,
  { format, includeLinks, selector }: ReadPageRequest,
): Promise<Omit<PageText, 'pageStatus' | 'isComplete' | 'pageRest' | 'durationMs'> | undefined> {
  if (selector !== undefined) return undefined;
  const found = textDocument.parse(await open.evaluate(TEXT));
  if (found === null) return undefined;
  const { url, charset } = found;
  const text = charset === WINDOWS_1252 ? repairEncoding(found.text) : found.text;
  return {
    ...EMPTY_PAGE_FIELDS,
    url,
    content: format === 'html' ? `<pre>${escapeHtml(text)}</pre>` : text,
    links: includeLinks ? [] : null,
  };
}
