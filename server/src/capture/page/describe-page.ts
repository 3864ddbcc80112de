import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { isMadeUp } from './given-html.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

/** What a page is in the end: where it led, and what it calls itself. */
export interface PageDescription {
  /** As browsers write addresses, in ASCII; empty where HTML was sent without one. */
  readonly pageUrl: string;
  readonly pageTitle: string;
}

const { pageUrlHeaderCharacters, pageTitleHeaderCharacters } = LIMITS;

/** By the prototype, since an element that is named so takes the place of the document's own title. */
const DESCRIPTION = `({
  url: location.href.slice(0, ${LIMITS.urlCharacters.max}),
  title: Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)
    .slice(0, ${pageTitleHeaderCharacters.max}),
})`;

const description = z.object({ url: z.string(), title: z.string() });
const HALF_CHARACTER = /\p{Surrogate}/gu;
const HALF_ESCAPE = /%[\dA-F]?$/iu;

/** An address in a few characters, without the name and password in it. */
function shownAddress(url: string): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  const { href } = address;
  const { max } = pageUrlHeaderCharacters;
  return href.length > max ? href.slice(0, max).replace(HALF_ESCAPE, '') : href;
}

/** Describes a page that is loaded; HTML that was sent has the address that it is read against, if any. */
export async function describePage(open: OpenPage, { html, baseUrl }: PageRequest): Promise<PageDescription> {
  const { url, title } = description.parse(await open.evaluate(DESCRIPTION));
  const address = html !== undefined && isMadeUp(url) ? baseUrl : url;
  return {
    pageUrl: address === undefined ? '' : shownAddress(address),
    pageTitle: title.replace(HALF_CHARACTER, ''),
  };
}
