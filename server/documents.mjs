import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsers } from 'prettier/plugins/markdown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = fileURLToPath(new URL('dist/documents', import.meta.url));
const INDEX = 'docs/README.md';
/** Documents beside docs/ that the server shows too, with their paths below /docs. */
const BESIDE = new Map([
  ['SECURITY.md', 'security'],
  ['CHANGELOG.md', 'changelog'],
]);
/** The server makes this document itself, so links to this file lead to /openapi.json. */
const OPENAPI = 'docs/reference/openapi.json';

/** The path below /docs of a document; undefined if the server does not show the file as a document. */
function pathOf(file) {
  if (file === INDEX) return '';
  const [, name] = /^docs\/(.+)\.md$/u.exec(file) ?? [];
  return name !== undefined && existsSync(join(ROOT, file)) ? name : BESIDE.get(file);
}

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The text that separates the parts of a Markdown node, by the type of the node. */
const BETWEEN = { list: ' ', listItem: ' ', blockquote: ' ', table: ' · ', tableRow: ' · ' };

/** The plain text of a Markdown node; empty for HTML. */
function textOf(node) {
  if (node.type === 'html') return '';
  if (node.type === 'break') return ' ';
  return node.children?.map(textOf).join(BETWEEN[node.type] ?? '') ?? node.value ?? '';
}

/** Returns a function that makes the anchors of headings, as GitHub does. */
function createAnchors() {
  const taken = new Map();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
}

/** The HTML of a block of code, which looks like CodeBlock of src/console/layout/copyable.tsx. */
const codeBlock = (number, code) =>
  `<div class="code-block"><pre id="code-${number}" tabindex="0" role="region" aria-label="Code ${number}"><code>${escape(code)}</code></pre>` +
  `<div class="code-actions"><button type="button" class="small" data-copy="code-${number}" hidden>Copy<span class="visually-hidden"> Code ${number}</span></button></div></div>`;

/**
 * The HTML of a table. On a phone, a table of words becomes cards, like DataTable of src/console/layout/. A table with
 * right-aligned figures scrolls.
 */
function tableHtml({ align, children: [header, ...rows] }, number, contentOf) {
  const isOfFigures = align.includes('right');
  const titles = header.children.map(textOf);
  const role = (name) => (isOfFigures ? '' : ` role="${name}"`);
  const figures = (column) => (align[column] === 'right' ? ' class="number"' : '');
  const head = header.children.map((cell, column) =>
    titles[column] === ''
      ? `<td${role('cell')}></td>`
      : `<th scope="col"${role('columnheader')}${figures(column)}>${contentOf(cell)}</th>`,
  );
  const rowHtml = ({ children: cells }) => {
    const html = cells.map((cell, column) => {
      const content = contentOf(cell);
      if (column === 0 && content !== '') return `<th scope="row"${role('rowheader')}>${content}</th>`;
      const title = isOfFigures ? '' : ` data-title="${escape(titles[column] ?? '')}"`;
      return `<td${role('cell')}${title}${figures(column)}>${content}</td>`;
    });
    return `<tr${role('row')}>${html.join('')}</tr>`;
  };
  const label = escape(`Table ${number}: ${titles.filter(Boolean).join(', ')}`);
  return (
    `<div class="table${isOfFigures ? '' : ' as-cards'}" tabindex="0" role="region" aria-label="${label}"><table${role('table')}>` +
    `<thead${role('rowgroup')}><tr${role('row')}>${head.join('')}</tr></thead>` +
    `<tbody${role('rowgroup')}>${rows.map(rowHtml).join('')}</tbody></table></div>`
  );
}

/** A picture with its size, so that the text below it does not move when it has loaded. */
function pictureHtml(file, address, words) {
  const png = readFileSync(join(ROOT, file));
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return `<img src="${escape(address)}" alt="${escape(words)}" width="${width}" height="${height}" loading="lazy">`;
}

/**
 * Returns the address of what a document links to; undefined if the server does not have it. Web addresses and anchors
 * stay as they are. Adds files, such as pictures, to `files`, by their paths below /docs/files.
 */
function addressOf(href, document, files) {
  if (/^(?:https?:\/\/|mailto:|#)/u.test(href)) return href;
  const [path, anchor] = href.split('#', 2);
  const target = posix.join(posix.dirname(document), path);
  if (target === OPENAPI) return '/openapi.json';
  const page = pathOf(target);
  if (page !== undefined) {
    const address = page === '' ? '/docs' : `/docs/${page}`;
    return anchor === undefined ? address : `${address}#${anchor}`;
  }
  const isFile =
    !target.startsWith('..') && statSync(join(ROOT, target), { throwIfNoEntry: false })?.isFile();
  if (isFile !== true || target.endsWith('.md')) return undefined;
  const name = target.replace(/^docs\//u, '');
  files.set(name, target);
  return `/docs/files/${name}`;
}

/** Makes the function that converts the nodes of one document to HTML. */
function createRenderer(document, markdown, files) {
  const anchorOf = createAnchors();
  const counts = { code: 0, table: 0 };
  const content = (node) => node.children.map(html).join('');
  /** In a list without blank lines, the text of an item is not put in a paragraph. */
  const itemContent = ({ spread, children }) =>
    children.map((node) => (node.type === 'paragraph' && !spread ? content(node) : html(node))).join('');
  const kinds = {
    text: ({ value }) => escape(value),
    inlineCode: ({ value }) => `<code>${escape(value)}</code>`,
    emphasis: (node) => `<em>${content(node)}</em>`,
    strong: (node) => `<strong>${content(node)}</strong>`,
    break: () => '<br>',
    paragraph: (node) => `<p>${content(node)}</p>`,
    blockquote: (node) => `<blockquote>${content(node)}</blockquote>`,
    heading: (node) => `<h${node.depth} id="${anchorOf(textOf(node))}">${content(node)}</h${node.depth}>`,
    code: ({ value }) => codeBlock((counts.code += 1), value),
    table: (node) => tableHtml(node, (counts.table += 1), content),
    listItem: (node) => `<li>${itemContent(node)}</li>`,
    list(node) {
      const start = node.start === null || node.start === 1 ? '' : ` start="${node.start}"`;
      return node.ordered ? `<ol${start}>${content(node)}</ol>` : `<ul>${content(node)}</ul>`;
    },
    link(node) {
      const address = addressOf(node.url, document, files);
      return address === undefined ? content(node) : `<a href="${escape(address)}">${content(node)}</a>`;
    },
    image({ url, alt }) {
      const address = addressOf(url, document, files) ?? '';
      const file = files.get(address.replace('/docs/files/', ''));
      return file?.endsWith('.png') ? pictureHtml(file, address, alt ?? '') : escape(alt ?? '');
    },
    // Leaves out comments. Shows any other HTML as it is written.
    html: ({ value }) => (/^<!--[\s\S]*-->$/u.test(value.trim()) ? '' : escape(value)),
  };
  /** Shows other Markdown, which no document uses, as it is written. */
  const asWritten = ({ position: { start, end } }) => escape(markdown.slice(start.offset, end.offset));
  const html = (node) => (kinds[node.type] ?? asWritten)(node);
  return html;
}

/**
 * Converts a document to HTML without the title. Also returns its title, description and contents, and its sections as
 * texts for the search. Adds the files that it links to to `files`.
 */
export function convert(file, markdown, files) {
  const html = createRenderer(file, markdown, files);
  const sections = [];
  const parts = [];
  let title = { id: '', heading: '', text: '' };
  const contents = [];
  for (const node of parsers.markdown.parse(markdown, { originalText: markdown }).children) {
    const part = html(node);
    if (node.type === 'heading') {
      const [, id] = /id="([^"]*)"/u.exec(part);
      const section = { id, heading: textOf(node), text: '' };
      sections.push(section);
      if (node.depth === 1) {
        title = section;
        continue;
      }
      if (node.depth === 2) contents.push({ id, text: section.heading });
    } else if (sections.length > 0) {
      const section = sections.at(-1);
      section.text = `${section.text} ${textOf(node)}`.replaceAll(/\s+/gu, ' ').trim();
    }
    if (part !== '') parts.push(part);
  }
  const first = sections.find(({ text }) => text !== '');
  const [description = ''] = first?.text.split(/(?<=[.:])\s/u, 1) ?? [];
  return {
    path: pathOf(file),
    title: title.heading,
    anchor: title.id,
    description,
    contents,
    sections,
    html: parts.join('\n'),
  };
}

const documentFiles = () =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted();

function write(name, content) {
  const path = join(OUT, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Renders the documents into dist/documents, from which the server reads them: HTML, a list, and texts for the search. */
export function writeDocuments() {
  rmSync(OUT, { recursive: true, force: true });
  const files = new Map();
  const documents = [...documentFiles(), ...BESIDE.keys()].map((file) =>
    convert(file, readFileSync(join(ROOT, file), 'utf8'), files),
  );
  const index = documents.find(({ path }) => path === '');
  const order = ['', ...Array.from(index.html.matchAll(/href="\/docs\/([^"#]+)"/gu), ([, path]) => path)];
  const placeOf = ({ path }) => (order.includes(path) ? order.indexOf(path) : order.length);
  documents.sort((one, other) => placeOf(one) - placeOf(other));
  for (const { path, html } of documents) write(`pages/${path === '' ? 'index' : path}.html`, html);
  for (const [name, file] of files) {
    mkdirSync(dirname(join(OUT, 'files', name)), { recursive: true });
    cpSync(join(ROOT, file), join(OUT, 'files', name));
  }
  const list = documents.map(({ path, title, anchor, description, contents }) => ({
    path,
    title,
    anchor,
    description,
    contents,
  }));
  write('documents.json', JSON.stringify({ documents: list, files: [...files.keys()] }));
  write('sections.json', JSON.stringify(documents.map(({ path, sections }) => ({ path, sections }))));
}
