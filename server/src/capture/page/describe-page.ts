import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { isMadeUpUrl } from './given-html.js';
import { MISSING_FONTS } from './missing-fonts.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

/** The final state of a page: its address after redirects, its title, and the fonts that it lacks. */
export interface PageDescription {
  /**
   * The address in ASCII, without user name and password, and cut if it is long. Empty for HTML without a base URL,
   * unless the page has gone to another address.
   */
  readonly pageUrl: string;
  readonly pageTitle: string;
  /** The writing systems (such as Arabic) on the page whose letters no font can show; undefined for a file. */
  readonly missingFonts?: readonly string[] | undefined;
}

const { pageUrlHeaderCharacters, pageTitleHeaderCharacters } = LIMITS;

/**
 * An expression for the address, the title and the missing fonts of a page. Uses the prototype's getter for the title,
 * because an element named "title" shadows the document's own.
 */
const DESCRIPTION = `({
  url: location.href.slice(0, ${LIMITS.urlCharacters.max}),
  title: Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)
    .slice(0, ${pageTitleHeaderCharacters.max}),
  missingFonts: ${MISSING_FONTS},
})`;

const description = z.object({ url: z.string(), title: z.string(), missingFonts: z.array(z.string()) });
const HALF_CHARACTER = /\p{Surrogate}/gu;
const HALF_ESCAPE = /%[\dA-F]?$/iu;

/** Removes an address's user name and password, and cuts it if it is long. */
export function shownAddress(url: string): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  const { href } = address;
  const { max } = pageUrlHeaderCharacters;
  return href.length > max ? href.slice(0, max).replace(HALF_ESCAPE, '') : href;
}

/**
 * Describes a loaded page. For HTML in a request, the address is its base URL or empty, unless the page has gone to
 * another address.
 */
export async function describePage(open: OpenPage, { html, baseUrl }: PageRequest): Promise<PageDescription> {
  const { url, title, missingFonts } = description.parse(await open.evaluate(DESCRIPTION));
  const address = html !== undefined && isMadeUpUrl(url) ? baseUrl : url;
  return {
    pageUrl: address === undefined ? '' : shownAddress(address),
    pageTitle: title.replace(HALF_CHARACTER, ''),
    missingFonts,
  };
}
