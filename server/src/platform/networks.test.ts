import { isLoopbackAddress, isLoopbackHost } from './networks.js';

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
  'recognises the loopback address %s as an address and as a host',
  (address) => {
    expect([isLoopbackAddress(address), isLoopbackHost(address)]).toEqual([true, true]);
  },
);

test.each(['localhost', 'LOCALHOST', 'chrome.localhost', '[::1]'])(
  'recognises %s as a loopback host, but not as an address',
  (host) => {
    expect([isLoopbackAddress(host), isLoopbackHost(host)]).toEqual([false, true]);
  },
);

test.each(['0.0.0.0', '[::]', '10.0.0.1', '128.0.0.1', 'localhost.example.com', 'mylocalhost', ''])(
  'recognises "%s" neither as a loopback address nor as a loopback host',
  (host) => {
    expect([isLoopbackAddress(host), isLoopbackHost(host)]).toEqual([false, false]);
  },
);
