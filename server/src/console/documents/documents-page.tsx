import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { formFields } from '../layout/form-data.js';
import { SearchForm } from '../layout/search-form.js';
import { documentAddress, type Documents, type ListedDocument } from '../library/documents.js';
import { findInDocuments, MAX_FOUND, type FoundSection } from '../library/find-in-documents.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';

const MAX_SHOWN_CHARACTERS = 200;
/** A document other than the index gets a list of contents if it has at least this many second-level headings. */
const MIN_CONTENTS = 3;
const DAY_SECONDS = 86_400;

const Search = ({ words }: { readonly words: string }) => (
  <SearchForm
    action="/docs"
    name="docs"
    label="Search the documents"
    placeholder="backup, postgres, Retry-After …"
    words={words.slice(0, MAX_SHOWN_CHARACTERS)}
  />
);

function Contents({ contents }: Pick<ListedDocument, 'contents'>) {
  if (contents.length < MIN_CONTENTS) return null;
  return (
    <details class="contents">
      <summary>On this page</summary>
      <ul>
        {contents.map(({ id, text }) => (
          <li>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Sends the page of the document with this path below /docs. Throws a ServiceError if there is none. */
async function show(context: PageContext, path: string): Promise<FastifyReply> {
  const { documents } = context.deps;
  const document = await documents.find(path);
  if (document === undefined)
    throw new ServiceError(
      'notFound',
      'There is no such document here. The page /docs lists and searches all of them.',
    );
  const { title, anchor, description, contents } = document;
  const html = await documents.html(document);
  return context.renderOnce(
    { title, description },
    () => (
      <div class="docs">
        {path === '' ? null : (
          <p class="crumbs">
            <a href="/docs">Documents</a>
          </p>
        )}
        <h1 id={anchor}>{title}</h1>
        {path === '' ? <Search words="" /> : <Contents contents={contents} />}
        <article dangerouslySetInnerHTML={{ __html: html }} />
      </div>
    ),
    documentAddress(path),
  );
}

const Found = ({ path, title, heading, id, excerpt }: FoundSection) => (
  <li class="card">
    <h2>
      <a href={`${documentAddress(path)}${heading === '' ? '' : `#${id}`}`}>
        {title}
        {heading === '' ? null : ` › ${heading}`}
      </a>
    </h2>
    <p>{excerpt.map((part, index) => (index % 2 === 0 ? part : <mark>{part}</mark>))}</p>
  </li>
);

const foundWords = (count: number) => {
  if (count === MAX_FOUND) return `The ${count} documents that fit best.`;
  if (count === 0) return 'No document has all of these words. Use fewer, or look at the list.';
  return count === 1 ? '1 document.' : `${count} documents.`;
};

async function search(context: PageContext, words: string): Promise<FastifyReply> {
  const found = findInDocuments(await context.deps.documents.texts(), words);
  return context.render(
    { title: 'Documents' },
    <div class="docs">
      <p class="crumbs">
        <a href="/docs">Documents</a>
      </p>
      <h1>Search</h1>
      <Search words={words} />
      <p role="status">{foundWords(found.length)}</p>
      <ol class="found">
        {found.map((section) => (
          <Found {...section} />
        ))}
      </ol>
    </div>,
  );
}

const parameters = z.object({ folder: z.string().optional(), page: z.string() });

/**
 * Sends the document at the address. An address that ends in .md, like the name of the document's file in the
 * repository, redirects to the document's address.
 */
async function showNamed(context: PageContext): Promise<FastifyReply> {
  const { folder, page } = parameters.parse(context.request.params);
  const path = folder === undefined ? page : `${folder}/${page}`;
  if (!path.endsWith('.md')) return show(context, path);
  const named = path === 'README.md' ? '' : path.slice(0, -'.md'.length);
  const isKnown = (await context.deps.documents.find(named)) !== undefined;
  return isKnown ? context.redirect(documentAddress(named)) : show(context, named);
}

/** GET /docs and the addresses below it: the documents, for everybody, and the search in them. */
export const documentPages = [
  publicPage('/docs', {
    menuLabel: 'Documents',
    get: (context) => {
      const { q } = formFields(context.request.query, ['q']);
      return q.trim() === '' ? show(context, '') : search(context, q);
    },
  }),
  publicPage('/docs/:page', { get: showNamed }),
  publicPage('/docs/:folder/:page', { get: showNamed }),
];

const filePath = z.object({ '*': z.string() });

/** Serves the files that documents link to, such as pictures, workflows and files of deploy/. */
export function addDocumentFiles(server: FastifyInstance, documents: Documents): void {
  server.get('/docs/files/*', async (request, reply) => {
    const file = await documents.file(filePath.parse(request.params)['*']);
    if (file === undefined) throw new ServiceError('notFound', 'The documents have no such file.');
    return reply
      .header('Content-Type', file.type)
      .header('Cache-Control', `public, max-age=${DAY_SECONDS}`)
      .send(file.bytes);
  });
}
