/** One metric in Prometheus text. */
interface Metric {
  readonly head: string[];
  readonly samples: string[];
}

/** Prometheus text of several shards as one: every sample says its shard, and a metric is described once. */
export function labelMetrics(texts: ReadonlyMap<string, string>): string {
  const metrics = new Map<string, Metric>();
  for (const [shard, text] of texts) {
    let current: Metric | null = null;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        current = metrics.get(name) ?? { head: [], samples: [] };
        metrics.set(name, current);
      }
      if (!line.startsWith('#')) current?.samples.push(label(line, shard));
      else if (current !== null && !current.head.includes(line)) current.head.push(line);
    }
  }
  return [...metrics.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}

/** A name of a shard needs no escape. */
function label(sample: string, shard: string): string {
  const [, name = '', labels, value = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(sample) ?? [];
  return `${name}{shard="${shard}"${labels === undefined ? '' : `,${labels}`}} ${value}`;
}
