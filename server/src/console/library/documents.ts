import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { onceFor } from '../../platform/once-for.js';
import { readSections, type SearchedDocument } from './find-in-documents.js';

const listedDocument = z.object({
  /** Below /docs; empty for the index. */
  path: z.string(),
  title: z.string(),
  /** The anchor of the title. */
  anchor: z.string(),
  description: z.string(),
  /** The headings below the title. */
  contents: z.array(z.object({ id: z.string(), text: z.string() })),
});
const list = z.object({ documents: z.array(listedDocument), files: z.array(z.string()) });

export type ListedDocument = z.output<typeof listedDocument>;

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
};

/** The address of a document. */
export const documentAddress = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

/**
 * The documents that server/documents.mjs rendered. They are read when somebody asks for them, so that they cost
 * neither time at the start nor memory on a server whose documents nobody reads.
 */
export class Documents {
  readonly #folder: string;
  readonly #list = onceFor(async (documents: Documents) => {
    const { documents: listed, files } = list.parse(JSON.parse(await documents.#read('documents.json')));
    return { byPath: new Map(listed.map((document) => [document.path, document])), files: new Set(files) };
  });
  readonly #sections = onceFor(async (documents: Documents) =>
    readSections(await documents.#read('sections.json')),
  );

  constructor(folder: string) {
    this.#folder = folder;
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }

  /** Finds a document by its path below /docs. Returns undefined if there is no such document. */
  async find(path: string): Promise<ListedDocument | undefined> {
    return (await this.#list(this)).byPath.get(path);
  }

  /** Reads the content of a document as HTML, without its title. */
  html({ path }: ListedDocument): Promise<string> {
    return this.#read(`pages/${path === '' ? 'index' : path}.html`);
  }

  /** Returns the texts of all documents, in the order of the index. */
  searched(): Promise<readonly SearchedDocument[]> {
    return this.#sections(this);
  }

  /** Reads a file that documents link to, such as a picture. Returns undefined if there is no such file. */
  async file(name: string): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
    if (!(await this.#list(this)).files.has(name)) return undefined;
    const type = TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
    return { type, bytes: await readFile(join(this.#folder, 'files', name)) };
  }
}
