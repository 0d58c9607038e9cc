import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../bootstrap/paths.mjs';

export const dashboardFile = join(root, 'deploy/grafana/duework.json');
export const rulesFile = join(root, 'deploy/prometheus/duework.rules.yml');
export const ruleTestsFile = join(root, 'deploy/prometheus/duework.rules.test.yml');
export const exampleFile = join(root, 'deploy/prometheus/prometheus.yml');

/** An expression in PromQL, and the panel or the rule that has it. */
export interface Expression {
  readonly where: string;
  readonly expr: string;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string; readonly refId: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
}

export interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test?: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly object[];
    }[];
  }[];
}

/** What Grafana puts in place of the variables of the dashboard: all queues, all types, and the last minute. */
const VALUES: readonly (readonly [string, string])[] = [
  ['$queue', '.*'],
  ['$type', '.*'],
  ['$__rate_interval', '1m'],
];

export const readDashboard = (): Dashboard => JSON.parse(readFileSync(dashboardFile, 'utf8')) as Dashboard;

export const readRules = (): readonly Rule[] =>
  (parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);

export const readRuleTests = (): RuleTests => parse(readFileSync(ruleTestsFile, 'utf8')) as RuleTests;

/** The expressions of all panels, as Grafana asks for them. */
export function readPanelExpressions(): Expression[] {
  return readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, refId }) => ({
      where: `panel "${title}" ${refId}`,
      expr: VALUES.reduce((text, [name, value]) => text.replaceAll(name, value), expr),
    })),
  );
}

export const readRuleExpressions = (): Expression[] =>
  readRules().map(({ alert, expr }) => ({ where: `rule ${alert}`, expr }));
