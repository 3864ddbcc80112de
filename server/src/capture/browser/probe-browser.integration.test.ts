import { randomBytes } from 'node:crypto';
import { startEgressProxy, type EgressProxy } from '../guard/egress-proxy.js';
import { createAddressPolicy } from '../guard/address-policy.js';
import { createHostResolvers } from '../guard/host-resolver.js';
import { openSystemNames } from '../../platform/names/name-lookups.js';
import {
  SAFE_FLAGS,
  startCdpBrowser,
  type RemoteBrowser,
} from '../../../../test/fixtures/capture/remote-browser.js';
import { connectBrowser } from './connect-browser.js';
import { probeBrowser } from './probe-browser.js';

let remote: RemoteBrowser;
let guard: EgressProxy;

beforeAll(async () => {
  guard = await startEgressProxy(
    createHostResolvers({ isAllowed: createAddressPolicy([]), openLookups: openSystemNames() }),
  );
  remote = await startCdpBrowser(SAFE_FLAGS);
});

afterAll(async () => {
  await remote.remove();
  await guard.close();
});

const probe = async (change: { server?: string; bypass?: string }) => {
  const browser = await connectBrowser(remote.endpoint);
  const openLane = async () => {
    const lane = await guard.openLane();
    return { ...lane, proxy: { ...lane.proxy, ...change } };
  };
  try {
    await probeBrowser(browser, { guard: { openLane, probeSite: guard.probeSite }, randomBytes });
  } finally {
    await browser.close();
  }
};

test('accepts a browser whose pages reach every address through the guard', async () => {
  await expect(probe({})).resolves.toBeUndefined();
});

test.each(['127.0.0.1', 'localhost', '169.254.169.254'])(
  'rejects a browser whose pages reach the host %s past the guard',
  async (host) => {
    await expect(probe({ bypass: `<-loopback>,${host}` })).rejects.toThrow(
      new RegExp(`reach ${host.replaceAll('.', '\\.')}.* past the guard`, 'u'),
    );
  },
);

test('rejects a browser whose pages bypass the guard for names under ".invalid"', async () => {
  await expect(probe({ bypass: '<-loopback>,*.invalid' })).rejects.toThrow(/do not come through the guard/u);
});

test('rejects a browser that does not reach the guard, with a message that names SIGNPOST_GUARD_ADDRESS', async () => {
  await expect(probe({ server: 'http://127.0.0.1:1' })).rejects.toThrow(
    /do not come through the guard at http:\/\/127\.0\.0\.1:1; set SIGNPOST_GUARD_ADDRESS/u,
  );
});
