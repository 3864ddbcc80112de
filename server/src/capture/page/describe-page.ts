import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import type { OpenPage } from './open-page.js';

/** What a page is in the end: where it led, and what it calls itself. */
export interface PageDescription {
  /** As browsers write addresses, in ASCII. */
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

/** Describes a page that is loaded, in a few characters: names and passwords in its address are left out. */
export async function describePage(open: OpenPage): Promise<PageDescription> {
  const { url, title } = description.parse(await open.evaluate(DESCRIPTION));
  const address = new URL(url);
  address.username = '';
  address.password = '';
  const { href } = address;
  const { max } = pageUrlHeaderCharacters;
  return {
    pageUrl: href.length > max ? href.slice(0, max).replace(HALF_ESCAPE, '') : href,
    pageTitle: title.replace(HALF_CHARACTER, ''),
  };
}
