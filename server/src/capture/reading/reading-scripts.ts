import { MAIN_PART } from './main-part.js';
import { PAGE_FACTS } from './page-facts.js';
import { PAGE_MARKDOWN } from './page-markdown.js';
import { PAGE_PLATFORM } from './page-platform.js';
import { PAGE_WORDS } from './page-words.js';
import { VISIBLE_COPY } from './visible-copy.js';
import { VISIBLE_TEXT } from './visible-text.js';

const LINKS = String.raw`
  const linksOf = (part) => {
    const links = new Map();
    for (const link of part.querySelectorAll('a')) {
      if (links.size === options.maxLinks) break;
      const url = link.getAttribute('href');
      if (/^https?:/u.test(url) && !links.has(url)) links.set(url, { url, text: cut(inOneLine(link.textContent), MAX_FACT_CHARACTERS) });
    }
    return [...links.values()];
  };
  const markHeadings = (part) => {
    const headings = [...part.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((heading) => heading.textContent.trim() !== '');
    return headings.slice(0, options.maxHeadings).map((heading) => {
      const text = cut(inOneLine(heading.textContent), options.maxHeadingCharacters);
      heading.prepend(MARK);
      return { level: Number(heading.nodeName[1]), text };
    });
  };`;

const ANCHOR = String.raw`
  /** The element that the fragment of the address names. */
  const anchor = () => {
    const { hash } = location;
    if (hash.length < 2) return undefined;
    let name = hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // The fragment is not valid percent-encoding, so it is used unchanged.
    }
    return Document.prototype.getElementById.call(document, name) ?? allOf(document, 'a[name="' + CSS.escape(name) + '"]')[0];
  };
  const anchored = choose === undefined ? anchor() : undefined;`;

const READING = String.raw`
  const partOf = (whole) => {
    if (selected === rootOf(document)) return whole;
    if (selected !== undefined) return selectedCopy ?? make('div');
    const part = options.mainContentOnly ? mainPartOf(whole) : whole;
    if (startMark === undefined || !whole.contains(startMark)) return part;
    const start = startCopy?.contains(part) || part.contains(startMark) ? part : whole;
    if (!startCopy?.contains(part)) startAt(start, startMark);
    startMark.remove();
    return start;
  };
  const read = () => {
    const whole = copyWhole();
    const part = partOf(whole);
    lengths.clear();
    inOrder(part);
    const links = options.includeLinks ? linksOf(part) : null;
    const headings = markHeadings(part);
    const content = { markdown: markdownOf, text: wordsOf, html: htmlOf }[options.format](part);
    return { ...facts(), content: cut(content, options.maxCharacters), links, headings };
  };`;

const COPYING = String.raw`
  const copyWhole = () => {
    const whole = make('div');
    addPage(document, whole);
    dropUnreadable();
    return whole;
  };`;

/** The source of a function that takes the options and returns a copy of a frame's document as nested lists. */
export const COPY_SCRIPT = `(options, choose) => {
  ${PAGE_PLATFORM}
  const anchored = undefined;
  ${VISIBLE_TEXT}
  ${VISIBLE_COPY}
  ${COPYING}
  return listed(copyWhole());
}`;

/**
 * The source of a function that takes the options and returns the text of a page and what the page states about itself;
 * null if it cannot read the page. Its second argument may be a function that returns the element to read. Without it,
 * reads the main part or the whole page, as the options say.
 */
export const READING_SCRIPT = `(options, choose) => {
  ${PAGE_PLATFORM}
  ${ANCHOR}
  ${VISIBLE_TEXT}
  ${VISIBLE_COPY}
  ${COPYING}
  ${MAIN_PART}
  ${PAGE_WORDS}
  ${PAGE_MARKDOWN}
  ${PAGE_FACTS}
  ${LINKS}
  ${READING}
  try {
    return read();
  } catch {
    // Elements are nested too deeply, or something unexpected happened. The inner text is read instead.
    return null;
  }
}`;

/**
 * The source of a function that replaces READING_SCRIPT if that fails or takes too long. Takes the same arguments. The
 * content is the browser's inner text of the chosen element or the whole page, and there are no links or headings.
 */
export const INNER_TEXT_SCRIPT = `(options, choose) => {
  ${PAGE_PLATFORM}
  ${PAGE_FACTS}
  const escaped = (line) => '<p>' + line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') + '</p>';
  const part = (choose === undefined ? root : choose()) ?? DOMImplementation.prototype.createHTMLDocument.call(reader(Document, 'implementation')(document), '').body;
  const words = cut(cleaned(isHtml(part) ? reader(HTMLElement, 'innerText')(part) : part.textContent).trim(), options.maxCharacters);
  const content = options.format === 'html' ? words.split(/\\n+/u).map(escaped).join('\\n') : words;
  return { ...facts(), content: cut(content, options.maxCharacters), links: options.includeLinks ? [] : null, headings: [] };
}`;
