import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { waitUntil } from '../../kit/wait-until.js';
import { findUnknown, type KnownSeries, parseMetrics } from './find-unknown.js';
import {
  readDashboard,
  readPanelExpressions,
  readRuleExpressions,
  readRules,
  readRuleTests,
} from './read-expressions.js';
import { type Scraped, startScraped } from './start-scraped.js';

let database: TestDatabase;
let scraped: Scraped;
let known: KnownSeries;

beforeAll(async () => {
  database = await createTestDatabase();
  scraped = await startScraped(database.url);
  await scraped.work();
  known = await waitUntil('No series about jobs that nobody can read', async () => {
    const { api, worker } = await scraped.readMetrics();
    const series = parseMetrics([api, worker]);
    return series.has('duework_unserved_jobs') && series.has('duework_queue_unserved_jobs') && series;
  });
});
afterAll(async () => {
  await scraped.stop();
  await database.drop();
});

const names = (pattern: RegExp, text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))),
];

test('the dashboard and the rules ask for series and labels that the API and the worker have', () => {
  const expressions = [...readPanelExpressions(), ...readRuleExpressions()];
  expect(expressions.length).toBeGreaterThan(40);
  expect(expressions.flatMap((expression) => findUnknown(expression, known))).toEqual([]);
});

test.each([
  ['nobody has duework_gone_total', 'sum(rate(duework_gone_total[5m]))'],
  ['duework_queue_jobs has no label tenant', 'max(duework_queue_jobs{tenant="x"})'],
  ['none of its series has the label tenant', 'sum by (tenant) (duework_queue_jobs)'],
  ['no PromQL at character 4 of max(', 'max('],
])('an expression is refused: %s', (sentence, expr) => {
  expect(findUnknown({ where: 'it', expr }, known)).toEqual([`it: ${sentence}`]);
});

test('the variables of the dashboard are labels of the series that they are read from', () => {
  const definitions = readDashboard().templating.list.flatMap(({ definition = [] }) => definition);
  expect(definitions).toHaveLength(2);
  for (const definition of definitions) {
    const [, either, label] = /__name__=~"([^"]+)"}, (\w+)\)$/.exec(definition)!;
    for (const name of either!.split('|')) expect([...known.get(name)!]).toContain(label);
  }
});

test('each panel says what it shows, in which unit, and covers no other', () => {
  const { panels } = readDashboard();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { type, title, description, targets, fieldConfig } of panels.filter((panel) => panel.type !== 'row')) {
    expect([title, type]).toEqual([title, expect.stringMatching(/^(stat|timeseries)$/)]);
    expect([title, description]).toEqual([title, expect.stringMatching(/^.{10,}$/)]);
    expect([title, fieldConfig?.defaults.unit]).toEqual([title, expect.any(String)]);
    expect([title, targets?.length]).not.toEqual([title, 0]);
  }
});

test('each rule has a severity, a sentence, a test in which it fires, and its line in docs/how-to/monitoring.md', () => {
  const page = readFileSync(join(root, 'docs/how-to/monitoring.md'), 'utf8');
  const fired = readRuleTests().tests.flatMap(({ alert_rule_test: cases = [] }) =>
    cases.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0).map(({ alertname }) => alertname),
  );
  for (const { alert, labels, annotations } of readRules()) {
    expect([alert, labels['severity']]).toEqual([alert, expect.stringMatching(/^(critical|warning|info)$/)]);
    expect([alert, annotations]).toEqual([alert, { summary: expect.any(String), description: expect.any(String) }]);
    expect(fired).toContain(alert);
    expect(page).toContain(`\n| \`${alert}\``);
  }
});

test('docs/how-to/monitoring.md names every figure of the API and the worker, and no other', () => {
  const page = readFileSync(join(root, 'docs/how-to/monitoring.md'), 'utf8');
  const [figures = ''] = /## Figures\n[\s\S]*?(?=\n## )/.exec(page) ?? [];
  const real = names(/duework_\w+/g, [...known.keys()].join(' '));
  expect(names(/duework_\w+/g, figures).sort()).toEqual(real.sort());
});
