import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Expression } from './read-expressions.js';

/** The names of series, and the labels that each has. */
export type KnownSeries = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads pages of `/metrics`; labels of one name are those of all its series. */
export function parseMetrics(pages: readonly string[]): KnownSeries {
  const known = new Map<string, Set<string>>();
  for (const line of pages.flatMap((page) => page.split('\n'))) {
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const labelNames = known.get(name) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labelNames.add(label!);
    known.set(name, labelNames);
  }
  return known;
}

/** What Prometheus itself adds to every series, and the series that it makes. */
const ADDED_LABELS = ['job', 'instance'];
const ADDED_SERIES = new Set(['up']);

/** Sentences about what is wrong with an expression: that it is no PromQL, or asks for series or labels that nobody has. */
export function findUnknown({ where, expr }: Expression, known: KnownSeries): string[] {
  const found: string[] = [];
  const labelsOfAll = new Set(ADDED_LABELS);
  const grouped: string[] = [];
  const text = ({ from, to }: SyntaxNode): string => expr.slice(from, to);
  parser.parse(expr).iterate({
    enter({ type, node }) {
      if (type.isError) found.push(`${where}: no PromQL at character ${node.from} of ${expr}`);
      if (type.name === 'GroupingLabels') grouped.push(...node.getChildren('LabelName').map(text));
      if (type.name !== 'VectorSelector') return;
      const name = text(node.getChild('Identifier') ?? node);
      const labels = known.get(name);
      for (const label of labels ?? []) labelsOfAll.add(label);
      if (labels === undefined && !ADDED_SERIES.has(name)) found.push(`${where}: nobody has ${name}`);
      for (const label of findMatchedLabels(node, text))
        if (labels !== undefined && !labels.has(label) && !ADDED_LABELS.includes(label))
          found.push(`${where}: ${name} has no label ${label}`);
    },
  });
  const unknown = grouped.filter((label) => !labelsOfAll.has(label));
  return [...found, ...unknown.map((label) => `${where}: none of its series has the label ${label}`)];
}

function findMatchedLabels(selector: SyntaxNode, text: (node: SyntaxNode) => string): string[] {
  const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return matchers.map((matcher) => text(matcher.getChild('LabelName')!));
}
