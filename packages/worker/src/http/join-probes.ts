import type { Metrics } from '../metrics/load-metrics.js';
import { joinMetrics } from '../metrics/join-metrics.js';
import type { Readiness } from './judge-readiness.js';
import type { Probes } from './open-probes.js';

interface Probed {
  readonly shard: string;
  readonly runtime: { readonly probes: () => Probes } | null;
}

/**
 * The probes of several engines as those of one worker: it is ready where at least one claims, and `degraded` says which
 * ones do not. Each sample of an engine has the label `shard`; one from which it does not claim has `duework_shard_up` 0.
 */
export function joinProbes(engines: () => readonly Probed[], metrics: Metrics | null): Probes {
  const readAll = async (isVerbose: boolean): Promise<readonly (readonly [string, Readiness])[]> =>
    Promise.all(
      engines().map(async ({ shard, runtime }) => [
        shard,
        (await runtime?.probes().readReadiness(isVerbose)) ?? ({ status: 'database_away' } as const),
      ]),
    );
  return {
    registry:
      metrics === null
        ? null
        : {
            contentType: metrics.registry.contentType,
            async metrics() {
              const parts = engines().flatMap(({ shard, runtime }) => {
                const registry = runtime?.probes().registry ?? null;
                return registry === null ? [] : [{ shard, registry }];
              });
              const up = (await readAll(false)).map(
                ([shard, { status }]) => `duework_shard_up{shard="${shard}"} ${status === 'ready' ? 1 : 0}`,
              );
              const texts = await Promise.all(
                parts.map(async ({ shard, registry }) => ({ shard, text: await registry.metrics() })),
              );
              const own = `# HELP duework_shard_up 1 where this worker claims from the shard\n# TYPE duework_shard_up gauge\n${up.join('\n')}\n`;
              return [await metrics.registry.metrics(), own, joinMetrics(texts)].join('\n');
            },
          },
    async refreshGauges() {
      const running = engines().flatMap(({ runtime }) => (runtime === null ? [] : [runtime]));
      await Promise.all(running.map((runtime) => runtime.probes().refreshGauges()));
    },
    async readReadiness(isVerbose) {
      const all = await readAll(isVerbose);
      const ready = all.filter(([, { status }]) => status === 'ready').length;
      if (ready === all.length) return { status: 'ready', shards: Object.fromEntries(all) };
      return { status: ready > 0 ? 'degraded' : 'none_ready', shards: Object.fromEntries(all) };
    },
  };
}
