import type { EngineName } from '../engine-name.js';

/** What the registry of one engine shows, in Prometheus' text format. */
export interface EngineMetrics extends EngineName {
  readonly text: string;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (.+)$/;

/**
 * The metrics of several engines as one text: each sample has the label `shard`, or `engine`, and each name its HELP and TYPE once, with
 * all its samples behind them, as the format demands.
 */
export function joinMetrics(all: readonly EngineMetrics[]): string {
  const families = new Map<string, { readonly head: string[]; readonly samples: string[] }>();
  for (const { text, ...engine } of all) {
    let family: { readonly head: string[]; readonly samples: string[] } | null = null;
    let isNew = false;
    for (const line of text.split('\n')) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        isNew = !families.has(name);
        if (isNew) families.set(name, { head: [], samples: [] });
        family = families.get(name)!;
      }
      if (family === null || line === '') continue;
      if (line.startsWith('#')) {
        if (isNew) family.head.push(line);
      } else family.samples.push(labelSample(line, engine));
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}

function labelSample(line: string, { label, name: of }: EngineName): string {
  const [, name, labels, value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) return line;
  return `${name}{${labels === undefined ? '' : `${labels},`}${label}="${of}"} ${value}`;
}
