// Checks the alert rules and the dashboard in deploy/monitoring against the metrics of the service.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = 'deploy/monitoring';
const PAGE = 'docs/monitoring.md';
const METRIC = /\b(?:ledger|process|nodejs)_[a-z0-9_]+/g;

/** Every metric that a rule or a panel names exists, and every rule is on the page. */
export function checkMonitoring({ metrics }, pages) {
  const names = new Set(metrics.flatMap(seriesOf));
  const { groups } = parse(read('alerts.yml'));
  const rules = groups.flatMap(({ rules: own }) => own);
  const { panels } = JSON.parse(read('grafana-dashboard.json'));
  const queries = [
    ...rules.map(({ alert, expr }) => ({ of: `alert ${alert}`, expr })),
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ of: `panel ${title}`, expr })),
    ),
  ];
  return [
    ...queries.flatMap(({ of, expr }) =>
      (expr.match(METRIC) ?? [])
        .filter((name) => !names.has(name))
        .map((name) => `${FOLDER}: the ${of} names ${name}, which is no metric`),
    ),
    ...unlistedAlerts(rules, pages),
  ];
}

function unlistedAlerts(rules, pages) {
  const text = pages.find(({ path }) => path === PAGE)?.text ?? '';
  const listed = Array.from(text.matchAll(/^\| `(Ledger\w+)` \|/gm), ([, name]) => name);
  const named = rules.map(({ alert }) => alert);
  return [
    ...named.filter((name) => !listed.includes(name)).map((name) => `lacks the alert ${name}`),
    ...listed.filter((name) => !named.includes(name)).map((name) => `has no rule for ${name}`),
  ].map((problem) => `${PAGE}: it ${problem}`);
}

/** The names under which Prometheus stores a metric. */
function seriesOf({ name, type }) {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
}

function read(name) {
  return readFileSync(join(import.meta.dirname, '..', FOLDER, name), 'utf8');
}
