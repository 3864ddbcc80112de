import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const names = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
const missing = (wanted, given) => [...wanted].filter((name) => !given.has(name));

/** What alerts and documents say of metrics, to be held against what a running server tells. */
export function readDocuments(root) {
  const alerts = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8');
  const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const expressions = alerts.replaceAll(/^\s+(?:annotations|- alert).*$/gmu, '');
  const inAlerts = names(expressions, /\b((?:signpost|process|nodejs)_\w+)/gu);
  const inDocuments = names(operating, /`((?:signpost|process|nodejs)_\w+)/gu);

  return {
    /** Throws where an alert is not documented, or a document speaks of one that is not there. */
    compareAlerts() {
      const documented = names(operating, /^\| `(Signpost\w+)`/gmu);
      assert.deepEqual([...documented], [...names(alerts, /- alert: (\w+)/gu)]);
    },
    /** Throws where a name is nobody's, or a metric of ours has no alert or is not documented. */
    compareMetrics(exposition) {
      const families = names(exposition, /^# TYPE (\S+) /gmu);
      const told = new Set([...families, ...names(exposition, /^([a-z]\w*)[{ ]/gmu)]);
      const own = [...families].filter((name) => name.startsWith('signpost_'));
      const isNamed = (given) => (name) => [...given].some((each) => each.startsWith(name));
      assert.deepEqual(missing(inAlerts, told), [], 'alerts name what the server does not tell');
      assert.deepEqual(
        missing(inDocuments, told).filter((name) => !name.endsWith('_')),
        [],
        'docs/operating.md names what the server does not tell',
      );
      assert.deepEqual(
        own.filter((name) => !isNamed(inAlerts)(name)),
        [],
        'these have no alert',
      );
      assert.deepEqual(
        own.filter((name) => !isNamed(inDocuments)(name)),
        [],
        'docs/operating.md does not name these',
      );
    },
  };
}
