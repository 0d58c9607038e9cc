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
