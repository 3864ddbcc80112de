import { randomBytes } from 'node:crypto';
import { startEgressProxy, type EgressProxy } from '../guard/egress-proxy.js';
import { createAddressPolicy } from '../guard/address-policy.js';
import { createHostResolver } from '../guard/connect-upstream.js';
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
  guard = await startEgressProxy(createHostResolver(createAddressPolicy([])));
  remote = await startCdpBrowser(SAFE_FLAGS);
});

afterAll(async () => {
  await remote.remove();
  await guard.close();
});

const probe = async (proxy: { server: string; bypass: string }) => {
  const browser = await connectBrowser(remote.endpoint);
  try {
    await probeBrowser(browser, { proxy, probeSite: guard.probeSite, randomBytes });
  } finally {
    await browser.close();
  }
};

test('a browser whose pages use the guard for every address passes', async () => {
  await expect(probe({ server: guard.server, bypass: '<-loopback>' })).resolves.toBeUndefined();
});

test.each(['127.0.0.1', 'localhost', '169.254.169.254'])(
  'a browser whose pages go past the guard to %s is refused',
  async (host) => {
    await expect(probe({ server: guard.server, bypass: `<-loopback>,${host}` })).rejects.toThrow(
      new RegExp(`reach ${host.replaceAll('.', '\\.')}.* past the guard`, 'u'),
    );
  },
);

test('a browser whose pages bypass the guard for anything but loopback is rejected', async () => {
  await expect(probe({ server: guard.server, bypass: '<-loopback>,*.invalid' })).rejects.toThrow(
    /do not come through the guard/u,
  );
});

test('a browser that cannot reach the guard is rejected, and the message names the variable', async () => {
  await expect(probe({ server: 'http://127.0.0.1:1', bypass: '<-loopback>' })).rejects.toThrow(
    /do not come through the guard at http:\/\/127\.0\.0\.1:1; set SIGNPOST_GUARD_ADDRESS/u,
  );
});
