import type { BrowserProgram } from './find-browser.js';
import { findOrInstallBrowser } from './install-browser.js';

const log = { info: () => undefined };
const programOf = (origin: string): BrowserProgram => ({ program: '/shell', kind: 'headless shell', origin });

/** A machine on which each way to get a browser succeeds or fails. Records the tries. */
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
    ways: ways.map((isInstalled, index) => () => {
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

test('an existing browser is used, and nothing is installed', async () => {
  const machine = machineWith({ present: 'this system' }, true);
  expect(await from(machine)).toBe('this system');
  expect(machine.tries).toEqual([]);
});

test('without a browser, each way to get one is tried until one succeeds, and then fonts are installed', async () => {
  const machine = machineWith({ embedded: 'packed' }, false, true, true);
  expect(await from(machine)).toBe('way 1');
  expect(machine.tries).toEqual([0, 1, 'fonts']);
});

test('if no other can be installed, the browser of the npm package is used, and later starts try nothing else', async () => {
  expect(await from(machineWith({ embedded: 'packed' }, false))).toBe('embedded');
  const later = machineWith({ embedded: 'unpacked' }, true);
  expect(await from(later)).toBe('embedded');
  expect(later.tries).toEqual([]);
});

test('a configured program that does not run is not replaced by an installed one', async () => {
  const machine = machineWith({}, true);
  expect(await from(machine, '/none')).toBeUndefined();
  expect(machine.tries).toEqual([]);
});
