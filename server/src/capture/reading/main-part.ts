/** The part of the script that chooses which part of the copied page is read, and from which position. */
const CHOICE = String.raw`
  const LITTLE_CHARACTERS = 250;
  const lengths = new Map();
  /** The number of characters in an element, without white space. */
  const lengthOf = (element) => {
    let length = lengths.get(element);
    if (length === undefined) lengths.set(element, (length = element.textContent.replace(/\s+/gu, '').length));
    return length;
  };
  const AROUND = 'nav, header, footer, aside';
  const isAround = (element) => element.matches(AROUND) && element.parentElement?.closest('main, article') === null;
  const lengthWithin = (part) =>
    [...part.querySelectorAll(AROUND)].reduce(
      (length, element) =>
        isAround(element) && !part.contains(element.parentElement.closest(AROUND)) ? length - lengthOf(element) : length,
      lengthOf(part),
    );
  const AROUND_NAME = /(?:^|\s)(?:(?:site|page|global|main|app)[-_])?(?:header|footer)(?:$|\s)|(?:^|[\s_-])(?:sidebar|cookies?|ads?|advert\w*)(?:$|[\s_-])/iu;
  /**
   * Class names of menus. Notices and lists of dishes have them too, so an element with such a name is a menu only if
   * more than 30 % of its text is in links.
   */
  const MENU_NAME = /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|banner)(?:$|[\s_-])/iu;
  /** Whether an element is beside the content, such as a menu. An element with an "h1" in it never is. */
  const isBesides = (element) => {
    if (element.querySelector('h1') !== null) return false;
    const names = element.getAttribute('class') ?? '';
    if (element.matches(AROUND) || AROUND_NAME.test(names)) return true;
    const linked = [...element.querySelectorAll('a')].reduce((length, link) => length + lengthOf(link), 0);
    return linked > lengthOf(element) * (MENU_NAME.test(names) ? 0.3 : 0.6);
  };
  /**
   * Goes from an element into a child that is a box, such as a "div", then into a child of that, as long as everything
   * else is empty or beside the content. Returns the last element.
   */
  const innermost = (whole) => {
    let part = whole;
    for (;;) {
      if ([...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) return part;
      const inner = [...part.children].filter((element) => lengthOf(element) > 0 && !isBesides(element));
      if (inner.length !== 1 || !/^(?:DIV|SECTION|ARTICLE|MAIN)$/u.test(inner[0].nodeName)) return part;
      [part] = inner;
    }
  };
  const longest = (elements) => elements.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  const outermost = (whole, name) =>
    [...whole.querySelectorAll(name)].filter((element) => element.parentElement.closest(name) === null && lengthOf(element) > 0);
  /**
   * The article of a page with one article, not counting empty ones and those inside it; undefined if there is none or
   * several, or if an "h1" is outside of the article and of navigation, headers, footers and asides.
   */
  const onlyArticle = (whole) => {
    const [article, ...others] = outermost(whole, 'article');
    if (article === undefined || others.length > 0) return undefined;
    const isOutside = (heading) => !article.contains(heading) && heading.closest(AROUND) === null;
    return [...whole.querySelectorAll('h1')].some(isOutside) ? undefined : article;
  };
  /**
   * Returns the marked main part of a page (the longest, if there are several), or else its only article, or else the
   * page without what is beside the content. If the part has less than half of the text outside of navigation, headers,
   * footers and asides, returns the smallest part around it that has half. Returns the whole page if the part is still
   * very short and has less than half of all text.
   */
  const mainPartOf = (whole) => {
    let part = longest(outermost(whole, 'main')) ?? onlyArticle(whole) ?? innermost(whole);
    const least = lengthWithin(whole) / 2;
    while (part !== whole && lengthOf(part) < least) part = part.parentElement;
    return lengthOf(part) < LITTLE_CHARACTERS && lengthOf(part) < lengthOf(whole) / 2 ? whole : part;
  };
  /** The number that a list gives to the item after these items, which are its first ones. */
  const numberAfter = (list, items) =>
    items.reduce((number, item) => Number(item.getAttribute('value') ?? number) + 1, Number(list.getAttribute('start') ?? 1));
  /**
   * Removes from a part everything before an element, except the heads of tables. The items of ordered lists keep their
   * numbers.
   */
  const startAt = (part, first) => {
    for (let at = first; at !== part; at = at.parentElement) {
      const list = at.parentElement;
      const nodes = [...list.childNodes];
      const before = nodes.slice(0, nodes.indexOf(at));
      if (list.nodeName === 'OL') list.setAttribute('start', numberAfter(list, before.filter(({ nodeName }) => nodeName === 'LI')));
      for (const node of before) if (node.nodeName !== 'THEAD') node.remove();
    }
  };`;

const ORDER = String.raw`
  const BLOCK_SELECTOR = [...BLOCKS, 'div', 'pre', 'hr'].join();
  const hasBlocks = (element) => element.querySelector(BLOCK_SELECTOR) !== null;
  const unwrap = (element) => element.replaceWith(...element.childNodes);
  /**
   * Moves a link that contains blocks into the first of its innermost blocks that has text or, if none has, a picture.
   * If there is no such block, or if it is a table, a table row, a list or a "pre", drops the link and keeps its
   * content.
   */
  const moveLinkInside = (link) => {
    const blocks = [...link.querySelectorAll(BLOCK_SELECTOR)].filter((block) => !hasBlocks(block));
    const first = blocks.find((block) => lengthOf(block) > 0) ?? blocks.find((block) => block.querySelector('img') !== null);
    const href = link.getAttribute('href');
    const box = make('div');
    box.append(...link.childNodes);
    link.replaceWith(box);
    if (first === undefined || first.matches('pre, table, tr, ul, ol, dl')) return;
    const inner = make('a');
    inner.setAttribute('href', href);
    inner.append(...first.childNodes);
    first.append(inner);
  };
  const joinEqual = (element) => {
    if (element.parentNode === null) return;
    for (let next = element.nextSibling; next?.nodeName === element.nodeName; next = element.nextSibling) {
      element.append(...next.childNodes);
      next.remove();
    }
  };
  const isLayout = (table) => {
    if (table.getAttribute('role') === 'none' || table.querySelector('table, pre, h1, h2, h3, main, article, nav') !== null) return true;
    const inCells = [...table.querySelectorAll('caption, td, th')].reduce((length, cell) => length + lengthOf(cell), 0);
    // A table in Markdown has no place for words outside of its cells.
    if (inCells < lengthOf(table)) return true;
    const rows = [...table.querySelectorAll('tr')];
    if (table.querySelector('th, thead, caption') !== null) return rows.length === 0;
    const widest = Math.max(0, ...rows.map((row) => row.children.length));
    return rows.length < 2 || widest < 2 || rows.some((row) => [...row.children].some((cell) => lengthOf(cell) > 1_000));
  };
  const asBox = (element) => {
    const box = make('div');
    box.append(...element.childNodes);
    element.replaceWith(box);
  };
  const asBoxes = (table) => {
    for (const element of table.querySelectorAll('td, th, caption, tr, thead, tbody, tfoot'))
      if (element.closest('table') === table) asBox(element);
    asBox(table);
  };
  /**
   * Puts each child of a list that is not an item into an item: a list into the item before it, if there is one, and
   * other content into a new item. Removes white space between them.
   */
  const collectItems = (list) => {
    for (const node of [...list.childNodes]) {
      if (node.nodeName === 'LI') continue;
      const item = node.previousSibling;
      if (node.nodeType === 3 && node.data.trim() === '') node.remove();
      else if (item !== null && /^(?:UL|OL)$/u.test(node.nodeName)) item.append(node);
      else {
        const box = make('li');
        node.replaceWith(box);
        box.append(node);
      }
    }
  };
  const inOrder = (part) => {
    for (const element of part.querySelectorAll('ul, ol')) collectItems(element);
    // The foot of a table is shown last, wherever it is in the source.
    for (const foot of part.querySelectorAll('tfoot')) foot.parentElement.append(foot);
    for (const link of part.querySelectorAll('a')) if (hasBlocks(link)) moveLinkInside(link);
    for (const element of part.querySelectorAll('strong, em, del, code, sub, sup')) {
      const isInside = element.parentElement.closest(element.nodeName) !== null;
      if (element.parentElement.nodeName === 'PRE') continue;
      if (isInside || hasBlocks(element) || (element.nodeName === 'STRONG' && element.closest('h1, h2, h3, h4, h5, h6, th'))) unwrap(element);
      else if (element.nodeName === 'CODE') element.textContent = element.textContent;
    }
    for (const element of part.querySelectorAll('strong, em, del')) joinEqual(element);
    for (const element of part.querySelectorAll('p')) if (hasBlocks(element)) asBox(element);
    for (const table of [...part.querySelectorAll('table')].toReversed()) if (isLayout(table)) asBoxes(table);
  };`;

export const MAIN_PART = CHOICE + ORDER;
