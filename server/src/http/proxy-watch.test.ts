import { silentLog } from '../../../test/fixtures/silent-log.js';
import { ProxyWatch } from './connections.js';

function watchWith(trustProxy: readonly string[]) {
  const warnings: string[] = [];
  const warn = (_fields: object, message: string) => warnings.push(message);
  const watch = new ProxyWatch(trustProxy, { ...silentLog, warn });
  return { watch, warnings };
}

test.each([{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }])(
  'warns once about requests with the header %j if no proxy is trusted, and names the variable',
  (headers) => {
    const { watch, warnings } = watchWith([]);
    watch.inspect({ host: 'signpost.example' });
    expect([watch.isProxyIgnored, warnings]).toEqual([false, []]);
    watch.inspect(headers);
    watch.inspect(headers);
    expect(watch.isProxyIgnored).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('SIGNPOST_TRUST_PROXY is not set')]);
  },
);

test('does not warn if a proxy is trusted', () => {
  const { watch, warnings } = watchWith(['127.0.0.1']);
  watch.inspect({ 'x-forwarded-for': '192.0.2.1' });
  expect([watch.isProxyIgnored, warnings]).toEqual([false, []]);
});
