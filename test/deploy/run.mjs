import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failed, total } from '../mcp-conformance/report.mjs';
import { baseImage } from './base-image.mjs';
import { checkCaddy } from './check-caddy.mjs';
import { checkFiles, makeEnvironment } from './check-files.mjs';
import { checkImage } from './check-image.mjs';
import { checkUnit } from './check-unit.mjs';
import { readDocuments } from './documents.mjs';
import { openEngine } from './engine.mjs';
import { step } from './step.mjs';

const DEADLINE_MS = 30 * 60_000;
const IMAGE = 'localhost/signpost:check';
const TOOLS = 'localhost/signpost-tools:check';

const root = join(import.meta.dirname, '../..');
/** Runs checks that no other checks depend on. Counts an error instead of throwing it. */
const apart = (what, work) => work().catch((error) => failed(`the checks of ${what}`, error));

/**
 * Builds the image with the engine, runs it as the documents say, and checks the files of deploy/. Returns the reason if
 * nothing could be checked.
 */
async function checkAll(engine, folder) {
  const base = await baseImage({ engine, root, folder });
  if (base === undefined) return 'The base image of the Dockerfile cannot be pulled.';
  if (!base.isOfficial) console.log(`       ${base.image} stands in for the official image of Node.js.`);
  await engine.tryOut(base.image);
  const documents = readDocuments(root);
  const argument = `--build-arg=NODE_IMAGE=${base.image}`;

  await step('The programs that read deploy/ are installed', () =>
    engine.build(
      TOOLS,
      argument,
      `--file=${join(root, 'test/deploy/tools.Dockerfile')}`,
      join(root, 'test/deploy'),
    ),
  );
  const environmentFile = await makeEnvironment({ root, folder });
  await checkFiles({ root, folder, engine, tools: TOOLS, environmentFile });
  await step(`Dockerfile: ${engine.name} builds the image`, () => engine.build(IMAGE, argument, root));
  const common = { root, folder, engine, image: IMAGE, tools: TOOLS, documents };
  await apart('the image', () => checkImage(common));
  await apart('Caddy', () => checkCaddy(common));
  if (process.getuid() === 0) await apart('the service', () => checkUnit(common));
  else console.log('Not checked: the units under systemd. Booting it needs root.');
  return undefined;
}

const NEEDS = 'They need Linux with podman or Docker, or Debian and root to install podman.';

const folder = mkdtempSync(join(tmpdir(), 'signpost-deploy-'));
const engine = process.platform === 'linux' ? await openEngine() : undefined;
process.on('exit', () => {
  engine?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
setTimeout(() => {
  failed('all checks', `Ended after ${DEADLINE_MS / 60_000} minutes. The checks that follow were left out.`);
  process.exit(total() ? 0 : 1);
}, DEADLINE_MS).unref();

const skipped =
  engine === undefined ? NEEDS : await checkAll(engine, folder).catch((error) => failed('all checks', error));
if (skipped === undefined) {
  process.exit(total() ? 0 : 1);
}
console.log(`Skipped: the container image and the files of deploy/. ${skipped}`);
console.log('\n0 passed, 0 failed');
process.exit(0);
