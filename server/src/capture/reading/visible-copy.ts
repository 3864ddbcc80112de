import { SPECIAL_ELEMENTS } from './special-elements.js';
import { STYLE_WORDS } from './style-words.js';

/** The maximum depth of nested elements. Of deeper elements, only the content is copied. */
const MAX_DEPTH = 150;
/** The maximum number of elements and texts. The rest is not read. */
const MAX_NODES = 100_000;
const MAX_TEXT_CHARACTERS = 4_000_000;

/** The part of the script that says which elements are left out, and which elements the copy has for the others. */
const NAMES = String.raw`
  const copies = DOMImplementation.prototype.createHTMLDocument.call(reader(Document, 'implementation')(document), '');
  const make = (name) => copies.createElement(name);
  const SKIPPED = new Set(['script', 'style', 'template', 'head', 'title', 'meta', 'link', 'base', 'source', 'track',
    'param', 'area', 'map', 'canvas', 'audio', 'video', 'progress', 'meter', 'datalist', 'rp', 'desc', 'defs', 'symbol',
    'metadata', 'clippath', 'clipPath', 'mask', 'pattern', 'marker', 'linearGradient', 'radialGradient', 'filter']);
  const REPLACED = new Set(['img', 'video', 'canvas', 'svg', 'iframe', 'object', 'embed', 'image']);
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const FIELDS = new Set(['select', 'input', 'textarea']);
  const FORMULAS = new Set(['math', 'mjx-container', 'span']);
  const BOXES = new Set(['img', ...FRAMES, ...FIELDS]);
  /** Classes by which carousels mark the copies of slides that they put before the first slide and after the last. */
  const CLONES = /(?:^|\s)(?:slick-cloned|swiper-slide-duplicate|(?:glide|splide)__slide--clone|bx-clone|tns-slide-cloned|owl-item cloned)(?:\s|$)/u;
  const BLOCKS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote',
    'figure', 'figcaption', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'main', 'article',
    'section', 'nav', 'header', 'footer', 'aside']);
  const OTHER_NAMES = { menu: 'ul', dir: 'ul', summary: 'p', legend: 'p', b: 'strong', i: 'em', s: 'del', strike: 'del',
    kbd: 'code', samp: 'code', tt: 'code' };
  const INLINE = new Set(['strong', 'em', 'del', 'code', 'sub', 'sup']);
  const ROLES = { list: 'ul', listitem: 'li', main: 'main', navigation: 'nav', banner: 'header', contentinfo: 'footer',
    complementary: 'aside', article: 'article', table: 'table', grid: 'table', rowgroup: 'tbody', row: 'tr', cell: 'td',
    gridcell: 'td', columnheader: 'th', rowheader: 'th' };
  const NO_ROLE = new Set(['presentation', 'none']);
  /** Elements that have a meaning only in certain parents, with these parents. In others they become a "div". */
  const INSIDE = { li: ['UL', 'OL'], dt: ['DL', 'DIV'], dd: ['DL', 'DIV'], caption: ['TABLE'], thead: ['TABLE'],
    tbody: ['TABLE'], tfoot: ['TABLE'], tr: ['TABLE', 'THEAD', 'TBODY', 'TFOOT'], td: ['TR'], th: ['TR'] };
  const SPACED = new Set(['label', 'button', 'legend', 'select', 'input', 'textarea', 'output', 'svg', 'text']);

  const nameOf = (element, target) => {
    if (!isHtml(element)) return localNameOf(element);
    const role = attributeOf(element, 'role').trim().toLowerCase();
    const own = localNameOf(element);
    const level = Number(attributeOf(element, 'aria-level')) || 2;
    const name = NO_ROLE.has(role) && own !== 'img' ? 'div' :
      role === 'heading' && !/^h[1-6]$/u.test(own) ? 'h' + Math.min(Math.max(Math.trunc(level), 1), 6) :
      (BLOCKS.has(own) && own !== 'section' ? own : ROLES[role]) ?? OTHER_NAMES[own] ?? own;
    return INSIDE[name]?.includes(target.nodeName) === false ? 'div' : name;
  };
  const isBlockBox = (style) => !/^(?:inline|contents|ruby|none)/u.test(style.display);`;

/** The part of the script that copies texts, and adds the spaces between them. */
const WORDS = String.raw`
  let [nodes, characters, isFull] = [0, 0, false];
  let last = null;
  const breakLine = () => { last = null; };
  const rects = (node) => { range.selectNodeContents(node); return range.getClientRects(); };
  const WIDE = /[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
  /**
   * Whether there is a visible gap between two texts without a space between them. Between texts on different lines,
   * there is usually none, because a word may be broken over two lines; but there is one after an inline box and in a
   * drawing, except beside East Asian characters.
   */
  const isApart = (before, after, text, { style, element }) => {
    if (before.isSpaced) return true;
    if (before.isJoined || before.node === null) return false;
    const one = rects(before.node);
    const [a, b] = [one[one.length - 1], rects(after)[0]];
    if (a === undefined || b === undefined || documentOf(before.node) !== documentOf(after)) return true;
    const common = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (common > Math.min(a.height, b.height) / 4)
      return Math.max(b.left - a.right, a.left - b.right) > 0.15 * Number.parseFloat(style.fontSize);
    return (before.isBoxed || !isHtml(element)) && !WIDE.test(text[0]) && !WIDE.test(before.copy.data.slice(-1));
  };
  const append = (target, text, { isSpaced = false, node = null } = {}) => {
    const copy = copies.createTextNode(text);
    target.append(copy);
    last = { copy, node, isSpaced };
    return copy;
  };
  /** Adds words for which the page has no text node. */
  const say = (target, text) => {
    const words = inOneLine(text);
    if (words === '') return;
    if (last !== null && !/\s$/u.test(last.copy.data)) append(target, ' ');
    append(target, words, { isSpaced: true });
  };
  const addLines = (target, text) =>
    text.split('\n').forEach((line, index) => {
      if (index > 0) target.append(make('br'));
      if (line.trim() !== '') append(target, line);
    });
  const addText = (node, target, context) => {
    const { data } = node;
    const { style, isCode } = context;
    if (!/\S/u.test(data)) {
      if (isCode) append(target, data);
      else if (last !== null && !/\s$/u.test(last.copy.data)) append(target, ' ');
      return;
    }
    const rest = ${MAX_TEXT_CHARACTERS} - characters;
    const text = cleaned(rest < data.length ? cut(data, rest) : data);
    const copy = copies.createTextNode(text);
    if (!isReadable(node, copy, context)) return;
    characters += text.length;
    isFull = characters >= ${MAX_TEXT_CHARACTERS};
    if (isCode) return target.append(copy);
    if (/^(?:pre|break-spaces)/u.test(style.whiteSpace) && /\n/u.test(text.trim())) return addLines(target, text.trim());
    copy.data = text.replace(/[\t\n\r\f ]+/gu, ' ');
    if (last !== null && !/\s$/u.test(last.copy.data) && !/^\s/u.test(copy.data) && isApart(last, node, copy.data, context))
      target.append(' ');
    target.append(copy);
    last = { copy, node, isSpaced: false };
  };`;

/** The part of the script that converts copies of frames to nested lists, which can be sent, and back. */
const LISTS = String.raw`
  const listed = (node) =>
    node.nodeType === 3
      ? node.data
      : [node.nodeName, Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])), ...[...node.childNodes].map(listed)];
  const fromList = (list) => {
    if (typeof list === 'string') return copies.createTextNode(list);
    const [name, attributes, ...children] = list;
    const element = make(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children.map(fromList));
    return element;
  };`;

/** The part of the script that goes through the composed tree and copies its nodes. */
const WALK = String.raw`
  /**
   * The copy of the element that the #fragment of the address names; undefined if only the content of that element is
   * copied, or nothing of it. startMark is an empty element that is put before it.
   */
  let startCopy;
  let startMark;
  const markStart = (target) => {
    startMark = make('span');
    target.append(startMark);
  };
  /** The element to read, if the caller chose one. */
  const selected = choose?.();
  let selectedCopy;
  const boxFor = (element, target) => {
    if (element !== selected) return target;
    selectedCopy = make('div');
    target.append(selectedCopy);
    return selectedCopy;
  };
  const addNode = (node, target, context) => {
    nodes += 1;
    isFull ||= nodes > ${MAX_NODES};
    if (isFull) return;
    if (isText(node)) addText(node, target, context);
    else if (isElement(node)) addElement(node, target, context);
  };
  const addChildren = (element, target, context) => {
    const assigned = isHtml(element) && localNameOf(element) === 'slot' ? element.assignedNodes() : [];
    if (assigned.length > 0) {
      for (const node of assigned) addNode(node, target, context);
      return;
    }
    for (let node = firstChildOf(shadowOf(element) ?? element); node !== null && !isFull; node = nextSiblingOf(node))
      addNode(node, target, context);
  };
  const addSpecial = (element, target, context) => {
    const name = localNameOf(element);
    const formula = FORMULAS.has(name) ? formulaOf(element, name) : '';
    if ((BOXES.has(name) || (formula !== '' && name !== 'span')) && !isBoxSeen(element, context)) return true;
    if (name === 'img') addImage(element, target, context);
    else if (name === 'br') {
      target.append(context.isCode ? '\n' : context.isInline ? ' ' : make('br'));
      breakLine();
    } else if (name === 'hr') target.append(make('hr'));
    else if (name === 'wbr') {
      if (last !== null) last.isJoined = true;
    } else if (FIELDS.has(name)) addField(element, target, context);
    else if (FRAMES.has(name)) addFrame(element, target, context);
    else if (name === 'use') addUsed(element, target, context);
    else if (formula !== '') append(target, formula);
    else return false;
    return true;
  };
  /** The empty copy of an element; undefined if only its content matters. */
  const shellOf = (element, name, target, { isBlock, isInline, link }) => {
    if (name === 'a') {
      const address = link || typeof element.href !== 'string' ? '' : element.href;
      const href = webAddress(address, undefined, /^(?:https?|mailto|tel):$/u);
      if (href === '') return isBlock && !isInline ? make('div') : undefined;
      const copy = make('a');
      const [page, hash] = href.split('#');
      const isHere = documentOf(element) === document && hash !== undefined && page === location.href.split('#')[0];
      copy.setAttribute('href', isHere ? '#' + hash : href);
      return copy;
    }
    if (isInline) return INLINE.has(name) && !/^(?:strong|em)$/u.test(name) ? make(name) : undefined;
    if (BLOCKS.has(name) || INLINE.has(name)) return make(name);
    return isBlock ? make('div') : undefined;
  };
  const KEPT = { ol: ['start'], li: ['value'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] };
  const describe = (copy, element, name) => {
    for (const key of KEPT[name] ?? [])
      if (/^-?\d{1,6}$/u.test(attributeOf(element, key))) copy.setAttribute(key, attributeOf(element, key));
    const hint = (attributeOf(element, 'id') + ' ' + attributeOf(element, 'class')).trim();
    if (hint !== '') copy.setAttribute('class', hint.slice(0, 200));
    if (NO_ROLE.has(attributeOf(element, 'role'))) copy.setAttribute('role', 'none');
  };
  /** Numbers the items of a list that counts down. Items with a number of their own keep it. */
  const countDown = (list, first) =>
    [...list.children].reduce((number, item) => {
      if (!item.hasAttribute('value')) item.setAttribute('value', number);
      return Number(item.getAttribute('value')) - 1;
    }, first === '' ? list.children.length : Number(first));
  /** Whether an element is the large first letter of the text after it. */
  const isInitial = (element, style) => {
    if (style.float === 'none' || !/^(?:b|em|font|i|span|strong)$/u.test(localNameOf(element))) return false;
    const next = nextSiblingOf(element);
    return element.textContent.trim().length === 1 && next !== null && isText(next) && /^[\p{L}’']/u.test(next.data);
  };
  const isItemOfRow = (element, { style }) =>
    /flex$/u.test(style.display) && style.flexDirection.startsWith('row') &&
    /^(?:a|abbr|b|button|cite|em|i|img|input|label|small|span|strong|svg|time)$/u.test(localNameOf(element));
  const addElement = (element, target, context) => {
    const own = localNameOf(element);
    if (SKIPPED.has(own) || (!isHtml(element) && own === 'title')) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || (CLONES.test(attributeOf(element, 'class')) && !(selected && isInside(selected, element)))) return;
    if (element === anchored) markStart(target);
    if (style.display !== 'contents' && !isSeen(element, style)) return;
    if (REPLACED.has(own)) painters.push(element);
    const inside = { ...context, element, style, paint: paintOf(element, style, context.paint), depth: context.depth + 1,
      isFixed: context.isFixed || style.position === 'fixed', isSvg: !isHtml(element) && own !== 'math' && (context.isSvg || own === 'svg') };
    if (own === 'foreignObject') inside.isSvg = false;
    const place = boxFor(element, target);
    const name = nameOf(element, place);
    const isRowItem = isItemOfRow(element, context);
    const isInWord = isInitial(element, style);
    const isBox = isBlockBox(style) && !isRowItem && !isInWord && (isHtml(element) || own === 'foreignObject');
    const isBlock = isBox || BLOCKS.has(name);
    const spaces = SPACED.has(own) || isRowItem || (isBlock && context.isInline);
    const end = () => {
      if (context.isCode) {
        if (isBlock && /[^\n]$/u.test(target.textContent)) target.append('\n');
      } else if (isBlock && !context.isInline) breakLine();
      else if (last !== null) {
        if (spaces) last.isSpaced = true;
        if (style.display.startsWith('inline-')) last.isBoxed = true;
      }
    };
    end();
    if (!addSpecial(element, place, inside)) addContent(element, place, inside, { name, isBlock });
    end();
    if (isInWord && last !== null) last.isJoined = true;
  };
  const addContent = (element, target, inside, { name, isBlock }) => {
    const { isCode, isInline, style } = inside;
    if (style.contentVisibility === 'hidden') return;
    const isCodeBlock = name === 'pre' || (name === 'code' && isBlock && style.whiteSpace.startsWith('pre'));
    if (isCodeBlock && !isCode && !isInline) return addCode(element, target, inside);
    const isTooDeep = inside.depth > ${MAX_DEPTH};
    const copy = isCode || isTooDeep ? undefined : shellOf(element, name, target, { ...inside, isBlock });
    if (element === anchored) startCopy = copy;
    if (copy === undefined) {
      if (isTooDeep && isBlock && !isCode) target.append(make('br'));
      if (name === 'rt') target.append('(');
      addWords(element, target, inside);
      if (name === 'rt') target.append(')');
      return;
    }
    describe(copy, element, name);
    const holder = isBlock && !BLOCKS.has(name) && name !== 'div' && !isInline ? make('div') : undefined;
    holder?.append(copy);
    target.append(holder ?? copy);
    const isHeading = /^h[1-6]$/u.test(name);
    addWords(element, copy, { ...inside, isInline: isInline || isHeading, link: inside.link || name === 'a' });
    if (name === 'ol' && element.reversed === true) countDown(copy, attributeOf(element, 'start'));
  };
  /** Adds the content of an element, with what its styles write before and after it. */
  const addWords = (element, target, context) => {
    addStyleWords(element, '::before', target, context);
    addChildren(element, target, context);
    addStyleWords(element, '::after', target, context);
  };
  const addPage = (ofDocument, target, frames = 0) => {
    const top = bodyOf(ofDocument) ?? rootOf(ofDocument);
    if (top === null) return;
    const page = pageOf(ofDocument);
    const style = getComputedStyle(rootOf(ofDocument));
    const paint = paintOf(rootOf(ofDocument), style, page.paint);
    addElement(top, target, { page, frames, style, paint, element: top, depth: 0, isFixed: false, isSvg: false,
      isCode: false, isInline: false, link: false });
  };`;

/**
 * The part of the script that copies what a person sees of a page into a document without scripts and styles: the
 * composed tree with shadow trees, slots and frames. `details` are treated as open. The copy has only elements with a
 * meaning; elements that only look different become `div` or nothing.
 */
export const VISIBLE_COPY = NAMES + LISTS + WORDS + STYLE_WORDS + SPECIAL_ELEMENTS + WALK;
