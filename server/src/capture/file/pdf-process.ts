import { getDocumentProxy, getMeta } from 'unpdf';
import { z } from 'zod';

/**
 * The program of a process that reads one PDF, whose bytes it gets in a message. The process may be killed at any time.
 */

const task = z.object({ bytes: z.instanceof(Uint8Array), maxCharacters: z.number() });

const info = z
  .object({ Title: z.string().nullable().catch(null), Author: z.string().nullable().catch(null) })
  .partial();

async function read({ bytes, maxCharacters }: z.output<typeof task>) {
  const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
  const { Title = null, Author = null } = info.parse((await getMeta(document)).info);
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages && characters < maxCharacters; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    pages.push(text.slice(0, maxCharacters - characters).trim());
    characters += text.length;
  }
  return { pageCount: document.numPages, title: Title, author: Author, pages };
}

process.once('message', (message: unknown) => {
  read(task.parse(message)).then(
    (result) => process.send?.(result),
    (error: unknown) =>
      process.send?.({
        problem: error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged',
      }),
  );
});
