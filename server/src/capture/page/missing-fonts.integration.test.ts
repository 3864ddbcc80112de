import { execFileSync } from 'node:child_process';
import type { CaptureService } from '../capture-service.js';
import { print, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** Some writing systems, each with one of its letters. */
const LETTERS: Readonly<Record<string, string>> = {
  Latin: 'a',
  Devanagari: 'क',
  Tamil: 'த',
  Thai: 'ก',
  Tibetan: 'ཀ',
  Han: '字',
  Hangul: '한',
};

/**
 * Whether a font on this machine has the letter, according to fontconfig; undefined if fontconfig is not installed.
 */
function hasFont(letter: string): boolean | undefined {
  try {
    const code = letter.codePointAt(0)?.toString(16) ?? '';
    return execFileSync('fc-list', [`:charset=${code}`, 'family'], { encoding: 'utf8' }).trim() !== '';
  } catch {
    return undefined;
  }
}

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  const letters = Object.values(LETTERS);
  site = await startPageServer({
    '/letters': `<!doctype html><meta charset="utf-8"><p>${letters.join('</p><p>')}`,
    '/plain': '<!doctype html><title>x</title><p>words</p><p hidden>ཀ</p>',
    '/nothing': '<!doctype html><title>x</title>',
    '/renamed': '<!doctype html><img name="createElement"><img name="createTreeWalker"><p>ཀ',
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const missing = Object.entries(LETTERS).flatMap(([name, letter]) =>
  hasFont(letter) === false ? [name] : [],
);
const isKnown = hasFont('a') !== undefined;

(isKnown ? test : test.skip)(
  'writing systems that no font of this machine can show are named (needs fontconfig)',
  async () => {
    const url = site.url('/letters');
    expect((await shoot(capture, url)).missingFonts?.toSorted()).toEqual(missing.toSorted());
    expect((await print(capture, url)).missingFonts?.toSorted()).toEqual(missing.toSorted());
  },
);

test.each(['/plain', '/nothing'])('reports no missing fonts on the page %s', async (path) => {
  expect((await shoot(capture, site.url(path))).missingFonts).toEqual([]);
});

test('captures a page whose images have names that hide functions of the document', async () => {
  expect((await shoot(capture, site.url('/renamed'))).pageStatus).toBe(200);
});
