import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { loadOnce } from '../../platform/load-once.js';
import { readSections, type DocumentText } from './find-in-documents.js';

const listedDocument = z.object({
  /** The path below /docs; empty for the index. */
  path: z.string(),
  title: z.string(),
  /** The anchor of the title. */
  anchor: z.string(),
  description: z.string(),
  /** The second-level headings. */
  contents: z.array(z.object({ id: z.string(), text: z.string() })),
});
const list = z.object({ documents: z.array(listedDocument), files: z.array(z.string()) });

export type ListedDocument = z.output<typeof listedDocument>;

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
};

export const documentAddress = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

/** The rendered documents. Their files are read only when they are requested. */
export class Documents {
  readonly #folder: string;
  readonly #list = loadOnce(async () => {
    const { documents, files } = list.parse(JSON.parse(await this.#read('documents.json')));
    return { byPath: new Map(documents.map((document) => [document.path, document])), files: new Set(files) };
  });
  readonly #sections = loadOnce(async () => readSections(await this.#read('sections.json')));

  constructor(folder: string) {
    this.#folder = folder;
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }

  /** Finds a document by its path below /docs. Returns undefined if there is no such document. */
  async find(path: string): Promise<ListedDocument | undefined> {
    return (await this.#list()).byPath.get(path);
  }

  /** Reads the content of a document as HTML, without its title. */
  html({ path }: ListedDocument): Promise<string> {
    return this.#read(`pages/${path === '' ? 'index' : path}.html`);
  }

  /** Returns the texts of all documents. */
  texts(): Promise<readonly DocumentText[]> {
    return this.#sections();
  }

  /** Reads a file that documents link to, such as a picture. Returns undefined if there is no such file. */
  async file(name: string): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
    if (!(await this.#list()).files.has(name)) return undefined;
    const type = TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
    return { type, bytes: await readFile(join(this.#folder, 'files', name)) };
  }
}
