import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Finds the main content of a page, as HTML and Markdown, and its title, author and so on. */
const DEFUDDLE = readFileSync(require.resolve('defuddle/full'), 'utf8');

/** Of the page's own text and elements; what comes after them is not looked at. */
const MAX_TEXT_CHARACTERS = 4_000_000;
const MAX_NODES = 100_000;
const MAX_FACT_CHARACTERS = 2_000;
/** A main content that is shorter, and less than half of what the page shows, is taken to be none. */
const LITTLE_CHARACTERS = 250;
/** With this defuddle begins what it could not write as Markdown. */
const NOT_CONVERTED = 'Partial conversion completed with errors.';

/** A form, or a document, has its fields under their own names, whatever the platform has there. */
const PLATFORM = `
  const get = (type, name, object) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(object);
  const root = get(Document, 'body', document) ?? get(Document, 'documentElement', document);
  const base = get(Node, 'baseURI', document);
  const all = (node, selector) => (node instanceof Document ? Document : Element).prototype.querySelectorAll.call(node, selector);
  const innerTextOf = (element) => (element instanceof HTMLElement ? get(HTMLElement, 'innerText', element) : '').trim();`;

/**
 * Cuts a page of any size to what can be read, and takes out what is not seen: who reads it does not ask styles, and of
 * a short page also takes what is marked as hidden. Answers whether the page has no more elements than that.
 */
const TRIM = `
  const KEPT = new Set(['script', 'noscript', 'style', 'template', 'math']);
  const isText = (node) => node instanceof Text;
  const hiddenOf = (element) => {
    const { display, visibility } = getComputedStyle(element);
    if (display === 'none') return [element];
    if (visibility === 'visible') return [];
    // What is in it may be seen nevertheless.
    return innerTextOf(element) === '' ? [element] : [...get(Node, 'childNodes', element)].filter(isText);
  };
  const trimAttributes = (element) => {
    for (const { name, value } of [...get(Element, 'attributes', element)])
      if (value.length > options.maxUrlCharacters || value.startsWith('data:'))
        Element.prototype.removeAttribute.call(element, name);
  };
  const trim = () => {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const hidden = [];
    let nodes = 0;
    let characters = 0;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes += 1;
      if (node instanceof Text) characters += node.length;
      else {
        trimAttributes(node);
        if (!KEPT.has(get(Element, 'localName', node))) hidden.push(...hiddenOf(node));
      }
      if (nodes <= ${MAX_NODES} && characters <= ${MAX_TEXT_CHARACTERS}) continue;
      const rest = new Range();
      if (node instanceof Text) rest.setStart(node, node.length - Math.max(0, characters - ${MAX_TEXT_CHARACTERS}));
      else rest.setStartBefore(node);
      rest.setEnd(root, root.childNodes.length);
      rest.deleteContents();
      break;
    }
    if (innerTextOf(root) !== '') hidden.push(...hiddenOf(root).filter(isText));
    for (const node of hidden) {
      const parent = get(Node, 'parentNode', node);
      if (parent !== null) Node.prototype.removeChild.call(parent, node);
    }
    return nodes <= ${MAX_NODES};
  };`;

/** The inner text in each format, the links, and what else is answered. */
const ANSWER = `
  const cut = (text, length) => {
    const end = text.codePointAt(length - 1) > 0xffff ? length - 1 : length;
    return text.length > length ? text.slice(0, end) : text;
  };
  const fact = (text) => {
    const words = typeof text === 'string' ? text.trim() : '';
    return words === '' ? null : cut(words, ${MAX_FACT_CHARACTERS});
  };
  const escaped = (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const asPlain = (text) =>
    options.format === 'html'
      ? text.split(/\\n+/u).map((line) => '<p>' + escaped(line) + '</p>').join('\\n')
      : text;
  const addressOf = (anchor) => {
    try {
      return new URL(Element.prototype.getAttribute.call(anchor, 'href'), base);
    } catch {
      return undefined;
    }
  };
  const linksOf = (node) => {
    const links = new Map();
    for (const anchor of all(node, 'a[href]')) {
      if (links.size === options.maxLinks) break;
      const address = addressOf(anchor);
      if (address === undefined || !/^https?:$/u.test(address.protocol)) continue;
      const { href } = address;
      const isOfThisPage = address.hash !== '' && href.split('#')[0] === location.href.split('#')[0];
      if (isOfThisPage || href.length > options.maxUrlCharacters || links.has(href)) continue;
      const text = anchor.textContent.slice(0, ${MAX_FACT_CHARACTERS}).replace(/\\s+/gu, ' ').trim();
      links.set(href, { url: href, text });
    }
    return [...links.values()];
  };
  const metaOf = (name) => all(document, 'meta[name="' + name + '" i]')[0]?.content;
  const answer = ({ title, description, language, author, published }, content, linked) => ({
    url: location.href,
    title: fact(title) ?? fact(get(Document, 'title', document)),
    description: fact(description) ?? fact(metaOf('description')),
    language: fact(language) ?? fact(get(Document, 'documentElement', document)?.lang),
    author: fact(author) ?? fact(metaOf('author')),
    publishedAt: fact(published),
    content: cut(content, options.maxCharacters),
    links: options.includeLinks ? linksOf(linked) : null,
  });
  const answerPlain = (facts = {}) =>
    answer(facts, asPlain(cut(innerTextOf(root), options.maxCharacters)), document);`;

/** A page may forbid to make elements of text (Trusted Types), in our world too, but for what can hold no script. */
const ALLOW_HTML = `
  const sanitizer = {};
  const allowHtml = () => {
    const element = Document.prototype.createElement.call(document, 'p');
    try {
      element.innerHTML = '<b></b>';
    } catch {
      const { innerHTML } = Object.getOwnPropertyDescriptors(Element.prototype);
      const set = function (html) { this.setHTML(html, { sanitizer }); };
      Object.defineProperty(Element.prototype, 'innerHTML', { ...innerHTML, set });
      DOMParser.prototype.parseFromString = (html) => Document.parseHTML(html, { sanitizer });
    }
  };`;

/** The main content, or all of the page without its scripts, by defuddle. */
const EXTRACT = `
  const EVERYTHING = {
    contentSelector: 'body',
    removeExactSelectors: false,
    removePartialSelectors: false,
    removeLowScoring: false,
    removeSmallImages: false,
    removeContentPatterns: false,
  };
  const textOf = (parsed) => {
    for (const element of all(parsed, 'img, picture, source, video, audio, iframe, object, embed, svg, script, style, link'))
      element.remove();
    const host = Document.prototype.createElement.call(document, 'div');
    host.style.all = 'initial';
    host.style.display = 'block';
    const shadow = host.attachShadow({ mode: 'closed' });
    shadow.append(parsed.body);
    get(Document, 'documentElement', document).append(host);
    const text = innerTextOf(shadow.firstElementChild);
    host.remove();
    return text;
  };
  const extract = (Defuddle) => {
    const shown = innerTextOf(root);
    const facts = new Defuddle(document, {
      url: location.href,
      separateMarkdown: options.format === 'markdown',
      useAsync: false,
      ...(options.mainContentOnly ? {} : EVERYTHING),
    }).parse();
    const parsed = new DOMParser().parseFromString(facts.content, 'text/html');
    const found = parsed.body.textContent.trim().length;
    if (found < ${LITTLE_CHARACTERS} && found < shown.length / 2) return answerPlain(facts);
    if (facts.contentMarkdown?.startsWith('${NOT_CONVERTED}')) return answerPlain(facts);
    const links = parsed.cloneNode(true);
    const content = { markdown: () => facts.contentMarkdown, html: () => facts.content, text: () => textOf(parsed) };
    return answer(facts, content[options.format](), links);
  };`;

/** A function of the options that answers what the page says; it is to run in a world of our own. */
export const PLAIN_TEXT_SCRIPT = `(options) => {
  ${PLATFORM}
  ${TRIM}
  ${ANSWER}
  trim();
  return answerPlain();
}`;

/** The same, by the page's main content as far as it has one. */
export const MAIN_CONTENT_SCRIPT = `(options) => {
  ${PLATFORM}
  ${ALLOW_HTML}
  allowHtml();
  const Defuddle = ((module) => {
    const exports = module.exports;
    const define = undefined;
    ${DEFUDDLE}
    return module.exports;
  })({ exports: {} });
  ${TRIM}
  ${ANSWER}
  ${EXTRACT}
  const isReadable = trim();
  try {
    if (isReadable) return extract(Defuddle);
  } catch {
    // A page that has something under a name of the platform's own is read without.
  }
  return answerPlain();
}`;
