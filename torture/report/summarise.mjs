const BINS = 120;

/** What is left of a run: its figures, and what happened over time in bins, in seconds since the first fault. */
export function summarise({ options, events, changes, tookMs, begunMs, gauges, drained, missing, load }, verdicts) {
  const { seed, workers, perSecond, sampleEvery } = options;
  const faults = events
    .filter(({ kind }) => kind === 'fault.begun')
    .map(({ fault, at, id, kind: _, by: _by, isAlone: _isAlone, ...facts }) => ({
      fault,
      fromS: secondsAt(at),
      toS: secondsAt(events.find((event) => event.kind === 'fault.ended' && event.id === id)?.at ?? at),
      ...facts,
    }));
  function secondsAt(at) {
    return Math.round((at - begunMs) / 100) / 10;
  }
  return {
    seed,
    workers,
    perSecond,
    minutes: Math.round(tookMs / 6_000) / 10,
    promises: verdicts.map(({ promise, counted, broken, remark = '' }) => ({
      promise,
      counted,
      broken: broken.length,
      remark,
    })),
    missing: missing.map(({ fault, why }) => ({ fault: fault.title, why })),
    drainedMs: Math.round(drained.tookMs),
    load,
    faults,
    timeline: bin({ changes, begunMs, tookMs, sampleEvery }),
    gauges: gauges
      .filter(({ at }) => at >= begunMs && at <= begunMs + tookMs)
      .map(({ at, workers, live, liveMb, historyMb }) => ({
        s: secondsAt(at),
        live,
        liveMb,
        historyMb,
        rssMb: Math.max(0, ...workers.map(({ rssMb }) => rssMb)),
      })),
  };
}

/** Per bin: how many ended a second, and how long runs waited from being due at once to their first claim (p50, p99, ms). */
function bin({ changes, begunMs, tookMs, sampleEvery }) {
  const widthMs = Math.max(1_000, tookMs / BINS);
  const bins = Array.from({ length: Math.ceil(tookMs / widthMs) }, (_, index) => ({
    s: Math.round((index * widthMs) / 100) / 10,
    ended: 0,
    waits: [],
  }));
  const at = (ms) => bins[Math.floor((ms - begunMs) / widthMs)];
  const madeAt = new Map();
  for (const { run, place, from, to, at: ms } of changes) {
    if (place === 'final' && to !== null && at(ms)) at(ms).ended += 1;
    if (place !== 'live') continue;
    if (from === null && to === 'queued') madeAt.set(run, ms);
    if (to === 'running' && madeAt.has(run)) {
      at(ms)?.waits.push(ms - madeAt.get(run));
      madeAt.delete(run);
    }
  }
  return bins.map(({ s, ended, waits }) => {
    const sorted = waits.toSorted((a, b) => a - b);
    const quantile = (share) =>
      sorted.length === 0
        ? null
        : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] * 10) / 10;
    return {
      s,
      endedPerSecond: Math.round((ended * sampleEvery * 10_000) / widthMs) / 10,
      p50: quantile(0.5),
      p99: quantile(0.99),
    };
  });
}
