import type { BrowserProgram } from './find-browser.js';
import { findOrInstallBrowser } from './install-browser.js';

const log = { info: () => undefined };
const programOf = (origin: string): BrowserProgram => ({ program: '/shell', kind: 'headless shell', origin });

/** Makes a machine on which each way to get a browser succeeds or fails, and which records the ways tried. */
function machineWith(
  found: { present?: string; embedded?: 'packed' | 'unpacked' },
  ...ways: readonly boolean[]
) {
  const tries: (number | 'fonts')[] = [];
  let origin = found.present;
  return {
    tries,
    find: ({ withEmbedded }: { withEmbedded: boolean }) => {
      const taken = origin ?? (withEmbedded && found.embedded !== undefined ? 'embedded' : undefined);
      return Promise.resolve(taken === undefined ? undefined : programOf(taken));
    },
    isEmbeddedUnpacked: () => Promise.resolve(found.embedded === 'unpacked'),
    installers: ways.map((isInstalled, index) => () => {
      tries.push(index);
      if (isInstalled) origin = `way ${index}`;
      return Promise.resolve(isInstalled);
    }),
    installFonts: () => {
      tries.push('fonts');
      return Promise.resolve();
    },
  };
}

const from = async (machine: ReturnType<typeof machineWith>, configured?: string) =>
  (await findOrInstallBrowser({ configured, searchPath: '', log }, machine))?.origin;

test('if there is a browser, uses it and installs nothing', async () => {
  const machine = machineWith({ present: 'this system' }, true);
  expect(await from(machine)).toBe('this system');
  expect(machine.tries).toEqual([]);
});

test('without a browser, tries each way to get one until one succeeds, and then installs fonts', async () => {
  const machine = machineWith({ embedded: 'packed' }, false, true, true);
  expect(await from(machine)).toBe('way 1');
  expect(machine.tries).toEqual([0, 1, 'fonts']);
});

test('if no other browser can be installed, uses that of the npm package, and later starts try nothing else', async () => {
  expect(await from(machineWith({ embedded: 'packed' }, false))).toBe('embedded');
  const later = machineWith({ embedded: 'unpacked' }, true);
  expect(await from(later)).toBe('embedded');
  expect(later.tries).toEqual([]);
});

test('if the configured program does not run, finds no browser and installs none', async () => {
  const machine = machineWith({}, true);
  expect(await from(machine, '/none')).toBeUndefined();
  expect(machine.tries).toEqual([]);
});
