import { sums } from '@duework/shards/merges';
import { Gauge, Registry } from 'prom-client';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { renderQueueMetrics } from '../../observe/render-queue-metrics.js';
import { answerMerged } from '../answer-shards.js';
import { askShard, type Body, isLeftOut, type LeftOut, PART_MS } from '../ask-shard.js';
import { labelMetrics } from '../label-metrics.js';
import type { Shards } from '../shards.js';
import type { Plan } from './plan.js';

const METRICS_MS = 2_500;

/** Ready while one shard answers; `degraded` where not all do. */
export const readiness = ({ isStopping }: ApiParts): Plan => ({
  isMerged: true,
  says: '`degraded`: some shards do not answer, and `problems` says which. Not ready: none does.',
  async handle(shards, c, operationId) {
    if (isStopping()) throw new ApiError('stopping', 'This process is finishing its last requests.');
    const told = await Promise.all(
      shards.names.map((name) => askShard(shards, name, c, { operationId, limitMs: PART_MS })),
    );
    const problems: LeftOut[] = [];
    let warning: Body | undefined;
    for (const one of told)
      if (isLeftOut(one)) problems.push(one);
      else if (one.status >= 400) {
        problems.push({ shard: one.shard, problem: 'database_away' });
        void shards.all.get(one.shard)!.gate.suspect();
      } else if (one.body['warning'] !== undefined) warning ??= { ...(one.body['warning'] as Body), shard: one.shard };
    if (problems.length === told.length)
      throw new ApiError('not_ready', 'No shard answers; the log has the reasons.', {
        headers: { 'Retry-After': '1' },
      });
    const status = problems.length === 0 ? 'ready' : 'degraded';
    return answerMerged(c, { status, ...(warning === undefined ? {} : { warning }) }, problems);
  },
});

/** The figures of every shard, each with its name, and which shards answer. */
export const metricsOf = ({ catalog, metrics }: ApiParts): Plan => ({
  says: 'Every sample of a queue says its `shard`; `duework_shard_up` is 0 for one that does not answer.',
  async handle(shards, c) {
    const registry = new Registry();
    const up = new Gauge({
      name: 'duework_shard_up',
      help: '1 when the database of the shard answered this scrape',
      labelNames: ['shard'],
      registers: [registry],
    });
    const texts = await Promise.all(
      [...shards.all.values()].map(async ({ name, db, gate }) => {
        const told = await gate.ask(() => renderQueueMetrics(db, catalog), METRICS_MS);
        const text = typeof told === 'string' ? '' : told.answer;
        up.set({ shard: name }, /^duework_database_up 1$/m.test(text) ? 1 : 0);
        return [name, text] as const;
      }),
    );
    const parts = [await registry.metrics(), labelMetrics(new Map(texts)), await metrics.registry.metrics()];
    return c.body(parts.join('\n'), 200, { 'Content-Type': metrics.registry.contentType });
  },
});

const COUNTS = ['due', 'scheduled', 'held', 'retrying', 'running'] as const;

/** What each shard is now. */
export async function describeShards(shards: Shards, c: Parameters<Plan['handle']>[1]): Promise<Response> {
  const query = new URLSearchParams();
  const told = await Promise.all(
    shards.names.map((name) =>
      askShard(shards, name, c, { operationId: 'listQueues', path: '/v1/queues', query, limitMs: PART_MS }),
    ),
  );
  const all = told.map((one): Body => {
    const isAway = isLeftOut(one) || one.status >= 400;
    const { away } = shards.all.get(one.shard)!.gate;
    return {
      name: one.shard,
      isUp: !isAway,
      problem: isLeftOut(one) ? one.problem : isAway ? 'failed' : null,
      since: away?.since ?? null,
      counts: isAway
        ? null
        : sums(one.body['queues'] as Readonly<Record<(typeof COUNTS)[number], number>>[], ...COUNTS),
      ofBareIds: shards.bareIds === one.shard,
    };
  });
  return c.json({ shards: all.map((one) => ({ ...one, counts: one['counts'] === null ? null : withZeros(one) })) });
}

/** A shard of which nothing waits has no queue to add up. */
const withZeros = ({ counts }: Body): Body =>
  Object.fromEntries(COUNTS.map((name) => [name, ((counts as Body)[name] as number | null) ?? 0]));
