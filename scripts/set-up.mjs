import './check-node.mjs';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';

/**
 * Brings a checkout, fresh or old, to where it can be worked on, or with `{ toRun: true }` run: packages, compiled code,
 * a browser.
 */
export async function setUp(purpose) {
  await installPackages(purpose);
  await build(purpose);
  // Not imported above: it needs the packages that have just been installed.
  const { ensureBrowser } = await import('./ensure-browser.mjs');
  await ensureBrowser();
}
