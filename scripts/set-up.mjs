import './check-node.mjs';
import { build, buildToTest, bundle } from './build.mjs';
import { installPackages, installToRun } from './install-packages.mjs';

/** Prepares a new or old checkout for development: packages, compiled code and a browser. */
export async function setUp() {
  await installPackages(build);
  await findBrowser();
}

/** Prepares a checkout for tests. */
export async function setUpToTest() {
  await installPackages(buildToTest);
  await findBrowser();
}

async function findBrowser() {
  // Imported here and not above, because the packages that this module needs have only just been installed.
  const { ensureBrowser } = await import('./ensure-browser.mjs');
  await ensureBrowser();
}

/** Prepares a checkout for starting the server, which finds a browser by itself. */
export async function setUpToRun() {
  await installToRun(bundle);
}
