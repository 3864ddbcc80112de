import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The source of a library that converts HTML to Markdown. */
const TURNDOWN = readFileSync(require.resolve('turndown/lib/turndown.browser.cjs.js'), 'utf8');

const CONVERTER = String.raw`
  const Turndown = ((module) => {
    ${TURNDOWN}
    return module.exports;
  })({ exports: {} });
`;

const RULES = String.raw`
  const escapeText = Turndown.prototype.escape;
  /** Escapes characters of Markdown and HTML in text. Underscores inside a word need no escaping. */
  const escapeWords = (text) =>
    escapeText(text)
      .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
      .replace(/<(?=[\p{L}\/!?])/gu, '\\<')
      .replace(/&(?=#?\w+;)/gu, '\\&')
      .replace(/~(?=~)/gu, '\\~');
  const cells = new Map();
  const cellOf = (cell) =>
    (cells.get(cell) ?? '').trim().replace(/\s*\n\s*/gu, '<br>').replaceAll('|', '\\|');
  const rowOf = (row, width) => {
    const own = [...row.children].map(cellOf);
    return '| ' + [...own, ...Array.from({ length: width - own.length }, () => '')].join(' | ') + ' |';
  };
  const withoutMarks = (element) => {
    const copy = element.cloneNode(true);
    for (const each of copy.querySelectorAll('*')) removeHints(each);
    removeHints(copy);
    return copy.outerHTML.replace(/\s*\n\s*/gu, ' ');
  };
  const tableOf = (table) => {
    const rows = [...table.querySelectorAll('tr')];
    if (table.querySelector('[colspan]:not([colspan="1"]), [rowspan]:not([rowspan="1"])') !== null) return withoutMarks(table);
    const caption = table.querySelector('caption');
    const width = Math.max(1, ...rows.map((row) => row.children.length));
    const lines = rows.map((row) => rowOf(row, width));
    lines.splice(1, 0, '| ' + Array.from({ length: width }, () => '---').join(' | ') + ' |');
    return (caption === null ? '' : (cells.get(caption) ?? '').trim() + '\n\n') + lines.join('\n');
  };
  const indented = (text, width) => text.replace(/\n(?=[^\n])/gu, '\n' + ' '.repeat(width));
  const itemOf = (content, item) => {
    const list = item.parentNode;
    const checked = item.getAttribute('data-checked');
    let marker = '- ';
    if (list.nodeName === 'OL') {
      const before = numbers.get(list) ?? Number(list.getAttribute('start') ?? 1) - 1;
      const number = Number(item.getAttribute('value') ?? before + 1);
      numbers.set(list, number);
      marker = Math.max(0, number) + '. ';
    }
    const words = (checked === null ? '' : '[' + checked + '] ') + content.trim().replace(/\n{2,}(?=(?:[-*]|\d+\.) )/gu, '\n');
    return marker + indented(words, marker.length) + (item.nextElementSibling === null ? '' : '\n');
  };
  const numbers = new Map();
  const fenceOf = (pre) => {
    const code = pre.textContent.replace(/^\n+|\s+$/gu, '');
    const longest = Math.max(2, ...(code.match(/${'`'}+/gu) ?? []).map((ticks) => ticks.length));
    const fence = '${'`'}'.repeat(longest + 1);
    const language = /language-(\S+)/u.exec(pre.firstElementChild?.className ?? '')?.[1] ?? '';
    return '\n\n' + fence + language + '\n' + code + '\n' + fence + '\n\n';
  };
  const block = (text) => '\n\n' + text + '\n\n';
  const RULES = {
    pre: ['pre', (content, pre) => fenceOf(pre)],
    cell: [['td', 'th', 'caption'], (content, cell) => { cells.set(cell, content); return ''; }],
    row: [['tr', 'thead', 'tbody', 'tfoot'], () => ''],
    table: ['table', (content, table) => block(tableOf(table))],
    list: [['ul', 'ol'], (content, list) => (list.parentNode.nodeName === 'LI' ? '\n' + content + '\n' : block(content))],
    item: ['li', itemOf],
    term: ['dt', (content) => '\n\n' + content.trim().replace(/\n+/gu, ' ')],
    meaning: ['dd', (content) => '\n: ' + indented(content.trim(), 2) + '\n'],
    deleted: ['del', (content) => (content.trim() === '' ? '' : '~~' + content + '~~')],
    raised: [['sub', 'sup'], (content, { nodeName }) => (/\]\(/u.test(content) ? content : '<' + nodeName.toLowerCase() + '>' + content + '</' + nodeName.toLowerCase() + '>')],
    heading: [['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, { nodeName }) => block('#'.repeat(Number(nodeName[1])) + ' ' + content.trim().replace(/\s*\n\s*/gu, ' '))],
    image: ['img', (content, image) => '![' + escapeText(image.getAttribute('alt')) + '](' + (image.getAttribute('src') ?? '').replace(/[()\\]/gu, encodePart) + ')'],
    link: ['a', (content, link) => {
      const words = content.trim().replace(/\s*\n\s*/gu, ' ');
      return words === '' ? '' : '[' + words + '](' + link.getAttribute('href').replace(/[()\\<>]/gu, encodePart) + ')';
    }],
  };
  const encodePart = (sign) => '%' + sign.codePointAt(0).toString(16);
  const markdownOf = (part) => {
    const service = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced', emDelimiter: '*', hr: '---', br: '\\' });
    service.escape = escapeWords;
    for (const [name, [filter, replacement]] of Object.entries(RULES)) service.addRule(name, { filter, replacement });
    return service.turndown(part);
  };`;

export const PAGE_MARKDOWN = CONVERTER + RULES;
