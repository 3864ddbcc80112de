import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
/** The folder of Lighthouse and the packages it needs. */
const modules = process.env.SIGNPOST_LIGHTHOUSE_MODULES;
/** The lowest passing score per category. Performance has some slack, because pages are slow on a busy machine. */
const LEAST = { accessibility: 1, 'best-practices': 1, performance: 0.95 };
const PAGES = ['/signin', '/overview', '/keys/1', '/usage', '/reference/captureScreenshot'];
const PASSWORD = 'a password for the measurement';

const importFrom = (path) => import(pathToFileURL(path).href);

async function startServer(dataDir) {
  const server = spawn(process.execPath, [join(root, 'server/bin/signpost.js'), 'start'], {
    env: {
      PATH: process.env.PATH,
      HOME: homedir(),
      SIGNPOST_LOG_LEVEL: 'error',
      SIGNPOST_PORT: '0',
      SIGNPOST_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    const found = /running at (\S+)[\s\S]*password\s+(\S+)\s+API key\s/u.exec(output);
    if (found !== null) return { server, url: found[1], password: found[2] };
  }
  throw new Error(`The server ended:\n${output}`);
}

async function startBrowser() {
  const { findOrInstallBrowser } = await importFrom(
    join(root, 'server/dist/capture/browser/install-browser.js'),
  );
  const found = await findOrInstallBrowser({
    configured: process.env.SIGNPOST_BROWSER_PATH || undefined,
    searchPath: process.env.PATH ?? '',
    log: { info: (_fields, message) => console.error(message) },
  });
  if (found === undefined) throw new Error('There is no browser: run npm start once to install one.');
  const { launch } = await importFrom(join(modules, 'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js'));
  return launch({
    executablePath: found.program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** Fills in the form on a page with these fields and sends it. */
async function submit(page, address, fields) {
  await page.goto(address);
  for (const [name, value] of Object.entries(fields)) await page.type(`main [name=${name}]`, value);
  await Promise.all([page.waitForNavigation(), page.click('main button[type=submit]')]);
}

/**
 * Measures the pages, signing in after the first one, and prints a table. Returns a line with the reasons for each
 * score that is too low.
 */
async function measure(page, { url, password }) {
  const { default: lighthouse } = await importFrom(join(modules, 'lighthouse/core/index.js'));
  const { default: desktop } = await importFrom(join(modules, 'lighthouse/core/config/desktop-config.js'));
  const flags = { onlyCategories: Object.keys(LEAST), disableStorageReset: true };
  const rows = {};
  const missed = [];
  for (const path of PAGES) {
    const { lhr } = await lighthouse(url + path, flags, desktop, page);
    if (lhr.finalDisplayedUrl !== url + path) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}.`);
    rows[path] = {};
    for (const [name, least] of Object.entries(LEAST)) {
      const { score, auditRefs } = lhr.categories[name];
      rows[path][name] = Math.round(score * 100);
      const wrong = auditRefs.map(({ id }) => lhr.audits[id]).filter((audit) => (audit.score ?? 1) < 1);
      if (score < least) missed.push(`${path}, ${name}: ${wrong.map(({ title }) => title).join('; ')}`);
    }
    if (path !== '/signin') continue;
    await submit(page, url + path, { email: 'operator@localhost', password });
    await submit(page, `${url}/password`, { current: password, next: PASSWORD });
  }
  console.table(rows);
  return missed;
}

const dataDir = mkdtempSync(join(tmpdir(), 'signpost-lighthouse-'));
const { server, url, password } = await startServer(dataDir);
try {
  const browser = await startBrowser();
  const missed = await measure(await browser.newPage(), { url, password }).finally(() => browser.close());
  for (const line of missed) console.error(line);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  server.kill();
  await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
