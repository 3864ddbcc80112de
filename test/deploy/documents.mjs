import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const names = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
const missing = (wanted, given) => [...wanted].filter((name) => !given.has(name));

const dashboardOf = (root) => readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8');

/** The queries of the dashboard, with values for the variables of Grafana. */
export const readDashboard = (root) =>
  JSON.parse(dashboardOf(root)).panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', 'a')),
  );

/** Reads the metrics that alerts, dashboard and documents name, to compare them with those of a running server. */
export function readDocuments(root) {
  const alerts = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8');
  const pageOf = (name) => readFileSync(join(root, 'docs/reference', name), 'utf8');
  const rules = alerts.replaceAll(/^\s+(?:annotations|summary|- alert).*$/gmu, '');
  const inUse = names(rules + dashboardOf(root), /\b((?:signpost|process|nodejs)_\w+)/gu);
  const inDocuments = names(
    pageOf('metrics.md') + pageOf('alerts.md'),
    /`((?:signpost|process|nodejs)_\w+)/gu,
  );

  return {
    /** Throws if a named metric does not exist, or if one of ours has no alert and no graph, or is undocumented. */
    compareMetrics(exposition) {
      const families = names(exposition, /^# TYPE (\S+) /gmu);
      const told = new Set([...families, ...names(exposition, /^([a-z]\w*)[{ ]/gmu)]);
      const own = [...families].filter((name) => name.startsWith('signpost_'));
      const isNamed = (given) => (name) => [...given].some((each) => each.startsWith(name));
      assert.deepEqual(
        missing(inUse, told),
        [],
        'alerts or the dashboard name metrics that the server does not have',
      );
      assert.deepEqual(
        missing(inDocuments, told).filter((name) => !name.endsWith('_')),
        [],
        'docs/reference/metrics.md or alerts.md names metrics that the server does not have',
      );
      assert.deepEqual(
        own.filter((name) => !isNamed(inUse)(name)),
        [],
        'these have no alert and are not on the dashboard',
      );
      assert.deepEqual(
        own.filter((name) => !isNamed(inDocuments)(name)),
        [],
        'docs/reference/metrics.md does not name these',
      );
    },
  };
}
