import type { Metrics } from '../metrics/load-metrics.js';
import type { EngineName } from '../engine-name.js';
import { joinMetrics } from '../metrics/join-metrics.js';
import type { Engines, Readiness } from './judge-readiness.js';
import type { Probes } from './open-probes.js';

interface Probed extends EngineName {
  /** null: it has not started. */
  readonly runtime: { readonly probes: () => Probes } | null;
}
interface Told extends EngineName {
  readonly readiness: Readiness;
}

/**
 * The probes of several engines as those of one worker: it is ready where at least one claims, and `degraded` says which
 * ones do not. Each sample of an engine has the label `shard`, or `engine`; one that does not claim has `duework_shard_up` 0,
 * or `duework_engine_up`.
 */
export function joinProbes(engines: () => readonly Probed[], metrics: Metrics | null): Probes {
  const readAll = async (isVerbose: boolean): Promise<readonly Told[]> =>
    Promise.all(
      engines().map(async ({ label, name, runtime }) => ({
        label,
        name,
        readiness: (await runtime?.probes().readReadiness(isVerbose)) ?? {
          status: name === 'dedicated' && label === 'engine' ? ('redis_away' as const) : ('database_away' as const),
        },
      })),
    );
  return {
    registry:
      metrics === null
        ? null
        : {
            contentType: metrics.registry.contentType,
            async metrics() {
              const parts = engines().flatMap(({ label, name, runtime }) => {
                const registry = runtime?.probes().registry ?? null;
                return registry === null ? [] : [{ label, name, registry }];
              });
              const texts = await Promise.all(
                parts.map(async ({ registry, ...of }) => ({ ...of, text: await registry.metrics() })),
              );
              return [await metrics.registry.metrics(), renderUp(await readAll(false)), joinMetrics(texts)].join('\n');
            },
          },
    async refreshGauges() {
      const running = engines().flatMap(({ runtime }) => (runtime === null ? [] : [runtime]));
      await Promise.all(running.map((runtime) => runtime.probes().refreshGauges()));
    },
    async readReadiness(isVerbose) {
      const all = await readAll(isVerbose);
      const ready = all.filter(({ readiness }) => readiness.status === 'ready').length;
      if (ready === all.length) return { status: 'ready', ...byName(all) };
      return { status: ready > 0 ? 'degraded' : 'none_ready', ...byName(all) };
    },
  };
}

const UP = {
  shard: '1 where this worker claims from the shard',
  engine: '1 where this worker claims from the table, or from the dedicated queue',
} as const;

function renderUp(all: readonly Told[]): string {
  return (['shard', 'engine'] as const)
    .map((label) => {
      const lines = all
        .filter((one) => one.label === label)
        .map(
          ({ name, readiness: { status } }) => `duework_${label}_up{${label}="${name}"} ${status === 'ready' ? 1 : 0}`,
        );
      if (lines.length === 0) return '';
      return `# HELP duework_${label}_up ${UP[label]}\n# TYPE duework_${label}_up gauge\n${lines.join('\n')}\n`;
    })
    .filter((text) => text !== '')
    .join('\n');
}

function byName(all: readonly Told[]): Partial<Engines> {
  const of = (label: EngineName['label']) =>
    Object.fromEntries(all.filter((one) => one.label === label).map(({ name, readiness }) => [name, readiness]));
  const [shards, engines] = [of('shard'), of('engine')];
  return {
    ...(Object.keys(shards).length === 0 ? {} : { shards }),
    ...(Object.keys(engines).length === 0 ? {} : { engines }),
  };
}
