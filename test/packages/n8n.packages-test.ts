import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Installed, installAlone, root } from './support/packed.js';

const run = promisify(execFile);

let installed: Installed;
beforeAll(async () => (installed = await installAlone('n8n-nodes-signpost')));
afterAll(() => installed.remove());

test('n8n-nodes-signpost installs no other packages, and each class in its manifest can be created', async () => {
  const packages = await readdir(join(installed.folder, 'node_modules'));
  expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['n8n-nodes-signpost']);
  // n8n brings its own n8n-workflow.
  const script = `
    const { n8n } = require('n8n-nodes-signpost/package.json');
    const names = [...n8n.nodes, ...n8n.credentials].map((path) => {
      const [Class] = Object.values(require('n8n-nodes-signpost/' + path));
      const made = new Class();
      return made.description?.name ?? made.name;
    });
    console.log(JSON.stringify(names));`;
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  const { stdout } = await run(process.execPath, ['--eval', script], { cwd: installed.folder, env });
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      'signpost',
      'signpostReferral',
      'signpostTrigger',
      'signpostApi',
      'signpostReferralApi',
    ]),
  );
});
