import { join } from 'node:path';
import { renderToString } from 'preact-render-to-string';
import { CodeBlock } from '../layout/copyable.js';
import { Documents } from './documents.js';

const documents = new Documents(join(import.meta.dirname, '../../../dist/documents'));

test('a code block of a document has the HTML that the component CodeBlock writes', async () => {
  const install = await documents.find('how-to/install');
  expect(install?.title).toBe('Install Signpost');
  const block = renderToString(CodeBlock({ id: 'code-1', label: 'Code 1', code: 'npm start' }));
  expect(install === undefined ? '' : await documents.html(install)).toContain(block);
});

test('unknown paths and names, even with "..", find no document and no file; a linked picture is found', async () => {
  for (const path of ['none', '../documents', 'how-to/../mcp', '__proto__'])
    expect(await documents.find(path)).toBeUndefined();
  for (const name of ['../documents.json', 'n8n/../LICENSE', 'none'])
    expect(await documents.file(name)).toBeUndefined();
  expect((await documents.file('n8n/node.png'))?.type).toBe('image/png');
});
