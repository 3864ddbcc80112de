/** The part of the script that converts a part of the page to plain text or to HTML. */
export const PAGE_WORDS = String.raw`
  const removeHints = (element) => {
    for (const name of ['class', 'role', 'data-checked'])
      if (element.nodeName !== 'CODE' || name !== 'class') element.removeAttribute(name);
  };
  const PARAGRAPHS = /^(?:P|H[1-6]|UL|OL|DL|TABLE|PRE|BLOCKQUOTE|FIGURE)$/u;
  const LINES = /^(?:DIV|MAIN|ARTICLE|SECTION|NAV|HEADER|FOOTER|ASIDE|LI|DT|DD|TR|CAPTION|FIGCAPTION|HR)$/u;
  const wordsOf = (part) => {
    const lines = [''];
    let breaks = 0;
    const write = (text) => {
      if (breaks > 0 && lines.some((line) => line !== '')) lines.push(...Array.from({ length: breaks }, () => ''));
      breaks = 0;
      lines[lines.length - 1] += text;
    };
    const endLine = (count) => {
      // A block at the beginning of a cell stays on the line of the row.
      if (lines[lines.length - 1].endsWith('\t')) return;
      lines[lines.length - 1] = lines[lines.length - 1].replace(/ +$/u, '');
      breaks = Math.max(breaks, lines.length === 1 && lines[0] === '' ? 0 : count);
    };
    const visit = (node) => {
      if (node.nodeType === 3) {
        const text = node.data.replace(/[\t\n\r\f ]+/gu, ' ');
        const isAtStart = breaks > 0 || /(?:^|[ \t])$/u.test(lines[lines.length - 1]);
        const words = isAtStart ? text.replace(/^ /u, '') : text;
        if (words !== '') write(words);
        return;
      }
      const { nodeName } = node;
      if (nodeName === 'BR') return endLine(1);
      const count = PARAGRAPHS.test(nodeName) && node.parentNode.nodeName !== 'LI' ? 2 : PARAGRAPHS.test(nodeName) || LINES.test(nodeName) ? 1 : 0;
      if (count > 0) endLine(count);
      if (/^T[DH]$/u.test(nodeName) && node.previousElementSibling !== null) write('\t');
      if (nodeName === 'PRE') write(node.textContent.replace(/^\n+|\s+$/gu, ''));
      else for (const child of node.childNodes) visit(child);
      if (count > 0) endLine(count);
    };
    visit(part);
    endLine(0);
    return lines.join('\n').trim();
  };
  /**
   * A part of the page as HTML. Empty links and "div"s are left out; a "div" that contains only another block becomes
   * that block.
   */
  const htmlOf = (part) => {
    const copy = part.cloneNode(true);
    for (const element of copy.querySelectorAll('*')) removeHints(element);
    for (const link of copy.querySelectorAll('a')) if (!link.hasChildNodes()) link.remove();
    for (const box of [...copy.querySelectorAll('div')].toReversed()) {
      const [only] = box.children;
      const hasText = [...box.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      if (!box.hasChildNodes() || (box.children.length === 1 && !hasText && only.matches(BLOCK_SELECTOR))) box.replaceWith(...box.childNodes);
    }
    return copy.innerHTML.trim();
  };`;
