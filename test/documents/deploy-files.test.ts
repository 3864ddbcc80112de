import { LIMITS, maxBodyBytesOf, operations } from '@signpost/contract';
import { read } from './documents.js';

const alerts = [...read('deploy/prometheus-alerts.yaml').matchAll(/- alert: (\w+)/gu)].map(
  ([, name]) => name,
);
/** The cases of promtool, which `npm run test:deploy` runs: each names an alert, and whether it is expected. */
const cases = [
  ...read('test/deploy/prometheus-alerts.test.yaml').matchAll(/alertname: (\w+)(?<fires>\s+exp_alerts:)?/gu),
].map(({ 1: name, groups }) => ({ name, fires: groups?.fires !== undefined }));

test('the page of alerts has each alert, in the order of the file of alerts', () => {
  const documented = [...read('docs/reference/alerts.md').matchAll(/^\| `(Signpost\w+)`/gmu)];
  expect(alerts.length).toBeGreaterThan(20);
  expect(documented.map(([, name]) => name)).toEqual(alerts);
});

test.each([
  ['raises', true],
  ['does not raise', false],
])('each alert has a case of promtool that %s it', (_words, fires) => {
  const tested = new Set(cases.filter((one) => one.fires === fires).map(({ name }) => name));
  expect(alerts.filter((name) => !tested.has(name))).toEqual([]);
});

test('the balancer takes large bodies at exactly the paths where the server accepts them', () => {
  const [, paths = ''] = /acl takes_more path (.+)/u.exec(read('deploy/haproxy.cfg')) ?? [];
  const large = Object.values(operations).filter((one) => maxBodyBytesOf(one) > LIMITS.bodyBytes.max);
  expect(paths.split(' ').toSorted()).toEqual(
    ['/operator/directory/upload', ...large.map(({ path }) => path)].toSorted(),
  );
});
