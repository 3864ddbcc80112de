import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.mjs';

const say = (line) => process.stderr.write(`${line}\n`);
const importBuilt = (name) =>
  import(pathToFileURL(join(root, 'server/dist/capture/browser', `${name}.js`)).href);

async function ensureFonts() {
  const { findMissingFonts } = await importBuilt('find-browser');
  const { FONT_PACKAGES, installFonts } = await importBuilt('install-browser');
  // Try only once, so that a machine that cannot install fonts does not wait for it every time.
  const tried = join(root, '.cache', 'fonts-tried');
  if (!existsSync(tried)) {
    mkdirSync(dirname(tried), { recursive: true });
    writeFileSync(tried, '');
    await installFonts();
  }
  const missing = await findMissingFonts();
  if (missing.length === 0) return;
  say(
    `This machine has no font for ${missing.join(' and ')}: captures show boxes in their place. ` +
      `On Debian and Ubuntu: sudo apt-get install ${FONT_PACKAGES.join(' ')}`,
  );
}

/**
 * Makes sure that this machine has a browser and fonts for captures, as far as possible without asking anyone. Never
 * fails, because everything except captures works without them.
 */
export async function ensureBrowser() {
  try {
    const { findOrInstallBrowser } = await importBuilt('install-browser');
    const found = await findOrInstallBrowser({
      configured: process.env.SIGNPOST_BROWSER_PATH || undefined,
      searchPath: process.env.PATH ?? '',
      log: { info: (_fields, message) => say(message) },
    });
    if (found !== undefined) {
      say(`Browser for captures: ${found.kind} ${found.program}, from ${found.origin}`);
    } else if (process.env.SIGNPOST_BROWSER_PATH) {
      say(
        `Captures will fail: SIGNPOST_BROWSER_PATH is ${process.env.SIGNPOST_BROWSER_PATH}, which does not start.`,
      );
    } else {
      say(
        'Captures will fail until there is a browser. Run: npx playwright install --with-deps chromium-headless-shell',
      );
    }
    await ensureFonts();
  } catch (error) {
    say(`The browser for captures could not be seen to: ${error instanceof Error ? error.message : error}`);
  }
}
