import './check-node.mjs';
import { build, bundle } from './build.mjs';
import { installPackages, installToRun } from './install-packages.mjs';

/** Brings a checkout, fresh or old, to where it can be worked on: packages, compiled code, a browser. */
export async function setUp() {
  await installPackages();
  await build();
  // Not imported above: it needs the packages that have just been installed.
  const { ensureBrowser } = await import('./ensure-browser.mjs');
  await ensureBrowser();
}

/** The same to where the server can be started, which gets a browser by itself. */
export async function setUpToRun() {
  await installToRun();
  await bundle();
}
