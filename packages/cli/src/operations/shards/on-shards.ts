import {
  type EffectFacts,
  type FailureGroup,
  type Failures,
  isByDueTime,
  judgeEffects,
  readFilter,
  type Workflows,
  type WorkflowType,
} from '@duework/operate';
import { findContract, jobRequest, type Batch, type Job } from '@duework/queue-core';
import { chooseShard, mergePages, nameId, readShard } from '@duework/shards';
import {
  mergeCount,
  mergeEffectFacts,
  mergeEvents,
  mergeFailures,
  mergeReplayPreviews,
  mergeReplays,
  mergeReports,
  mergeWorkflows,
  ORDERS,
} from '@duework/shards/merges';
import { PlainError } from '../../plain-error.js';
import type { Operations } from '../operations.js';
import { AllShards, type ShardsParts } from './all-shards.js';
import { bulkOnShards } from './bulk-on-shards.js';
import { alertsOnShards } from './alerts-on-shards.js';
import { flowOnShards } from './flow-on-shards.js';
import { readAudit } from './read-audit.js';
import { schedulesOnShards } from './schedules-on-shards.js';
import { splitFilter } from './split-filter.js';

/**
 * The operations on several shards: by id on the one that it names, lists and sums of all, and what has a name is changed in
 * each shard that has it. Whoever does not answer, or refuses, is named on stderr, and the command ends with 1.
 */
export function onShards(parts: ShardsParts): Operations {
  const shards = new AllShards(parts);
  const { names, of, ask } = shards;
  /** One that takes jobs which any shard would do for. Throws `shard_not_given` where all are closed. */
  const anyOpen = async (): Promise<string> => {
    const told = await shards.look(async (_queue, shard) => readShard(await parts.db(shard)));
    const open = told.flatMap(({ shard, answer }) => (answer?.closedAt ? [] : [shard]));
    if (open.length > 0) return open[Math.floor(Math.random() * open.length)]!;
    throw new PlainError('shard_not_given', `Each shard is closed: add --shard with one of ${names.join(', ')}.`);
  };
  return {
    place: `the shards ${names.join(', ')}`,
    async enqueue(type, payload, options) {
      const request = jobRequest(findContract((await parts.jobs()).catalog, type), payload as never, options);
      const shard = chooseShard([request], { names, shardOf: undefined }) ?? (await anyOpen());
      const job = await of(shard).enqueue(type, payload, options);
      return { ...job, id: nameId(shard, job.id) };
    },
    getJob: (id) =>
      shards.by(id, async (queue, number, shard) => {
        const found = await queue.getJob(number);
        return { ...found, job: nameJob(shard, found.job) };
      }),
    explainJob: (id) => shards.by(id, (queue, number) => queue.explainJob(number)),
    readSteps: (job) => shards.by(job.id, (queue, number) => queue.readSteps({ ...job, id: number })),
    async findJobs({ filter = '', limit = 50, cursor }) {
      const filters = splitFilter(shards, filter);
      const found = await mergePages<Job>({
        limit,
        cursor,
        names: [...filters.keys()],
        ask,
        compare: compareFor([...filters.values()][0]!),
        async read(shard, most, from) {
          const page = await of(shard).findJobs({ filter: filters.get(shard), limit: most, cursor: from });
          return { items: page.jobs.map((job) => nameJob(shard, job)), nextCursor: page.nextCursor };
        },
      });
      shards.tellLeftOut(found.problems);
      const { items, nextCursor } = found;
      const isComplete = nextCursor === null || items.length === limit;
      return { jobs: items, nextCursor, previousCursor: null, isComplete, hint: null };
    },
    async countJobs(filter) {
      const filters = splitFilter(shards, filter);
      const among = [...filters.keys()];
      const asked = await shards.look((queue, shard) => queue.countJobs(filters.get(shard)!), { among });
      const { count, isAtLeast } = mergeCount(asked.map(({ answer }) => answer));
      return { count, isAtLeast: isAtLeast || asked.length < among.length };
    },
    actOnJob: (command, id, given) => shards.by(id, (queue, number) => queue.actOnJob(command, number, given)),
    updateJob: (id, change, reason) => shards.by(id, (queue, number) => queue.updateJob(number, change, reason)),
    batches: {
      async list({ limit, cursor }) {
        const found = await mergePages<Batch>({
          limit,
          cursor,
          names,
          ask,
          compare: newestFirst,
          async read(shard, most, from) {
            const page = await of(shard).batches.list({ limit: most, cursor: from });
            return { items: page.batches.map((batch) => nameBatch(shard, batch)), nextCursor: page.nextCursor };
          },
        });
        shards.tellLeftOut(found.problems);
        return { batches: found.items, nextCursor: found.nextCursor };
      },
      get: (id) => shards.by(id, async (queue, number, shard) => nameBatch(shard, await queue.batches.get(number))),
      cancel: (id, reason) => shards.by(id, (queue, number) => queue.batches.cancel(number, reason)),
    },
    events: {
      list: async () => mergeEvents(await shards.look((queue) => queue.events.list())),
      preview: async (asked) => mergeReplayPreviews(await shards.look((queue) => queue.events.preview(asked))),
      replay: async (asked, reason) => mergeReplays(await shards.change((queue) => queue.events.replay(asked, reason))),
      unsubscribe: async (event, type, reason) =>
        void (await shards.change((queue) => queue.events.unsubscribe(event, type, reason))),
    },
    readQueues: () => shards.rows((queue) => queue.readQueues()),
    async readWorkers() {
      const workers = await shards.rows((queue) => queue.readWorkers());
      return workers.sort(ORDERS.workers).map(({ runs, ...worker }) => ({
        ...worker,
        runs: runs.map((run) => ({ ...run, id: nameId(worker.shard, run.id) })),
      }));
    },
    async changeSlots(queue, slots, how) {
      const act = (one: Operations) => one.changeSlots(queue, slots, how);
      const parts = await (how.isPreview ? shards.look(act) : shards.change(act));
      if (parts.length === 0) throw new PlainError('not_ready', 'No shard answers.');
      const answers = parts.map(({ answer }) => answer);
      const sum = (when: 'before' | 'after') => answers.reduce((all, answer) => all + answer[when], 0);
      const workers = answers.flatMap((answer) => answer.workers);
      return { ...answers[0]!, workers, before: sum('before'), after: sum('after') };
    },
    async checkEffects(asked) {
      const parts = await shards.look((queue) => queue.checkEffects(asked), { isPatient: true });
      if (parts.length < names.length) throw new PlainError('not_ready', 'A proof needs the answer of every shard.');
      return judgeEffects(
        mergeEffectFacts<EffectFacts>(
          parts.map(({ shard, answer }) => ({
            shard,
            answer: {
              ...answer,
              doubts: answer.doubts.map((one) => ({ ...one, jobId: nameId(shard, one.jobId) })),
              unrecordedJobs: answer.unrecordedJobs.map((one) => ({ ...one, jobId: nameId(shard, one.jobId) })),
            },
          })),
        ),
      );
    },
    async readFailures(range, type) {
      const parts = await shards.look((queue) => queue.readFailures(range, type));
      if (parts.length === 0) throw new PlainError('not_ready', 'No shard answers.');
      return mergeFailures<FailureGroup>(
        parts.map(({ shard, answer }) => ({
          shard,
          answer: {
            ...answer,
            groups: answer.groups.map((group) => ({ ...group, newestJob: nameId(shard, group.newestJob) })),
          },
        })),
        // in a process its moments are dates
      ) as Failures;
    },
    async readWorkflows(type) {
      const parts = await shards.look((queue) => queue.readWorkflows(type));
      return mergeWorkflows<WorkflowType>(parts) as Workflows;
    },
    readUnserved: async () => (await shards.rows((queue) => queue.readUnserved())).sort(ORDERS.unserved),
    listPauses: async () => (await shards.rows((queue) => queue.listPauses())).sort(ORDERS.pauses),
    async doctor() {
      const reports = await shards.look((queue) => queue.doctor(), { isPatient: true });
      return mergeReports(
        reports.map(({ shard, answer }) => ({
          shard,
          answer: {
            ...answer,
            findings: answer.findings.map((one) => ({ ...one, sentence: `Shard ${shard}: ${one.sentence}` })),
          },
        })),
      );
    },
    readAudit: (filter) => readAudit(shards, filter),
    ...schedulesOnShards(shards),
    bulk: bulkOnShards(shards),
    alerts: alertsOnShards(shards),
    flow: flowOnShards(shards),
    keys: {
      // it holds over all of them, wherever it is kept
      create: (key, reason) => of(names[0]!).keys.create(key, reason),
      list: async () => (await shards.rows((queue) => queue.keys.list())).sort(ORDERS.keys),
      revoke: async (idOrName, reason) =>
        (await shards.change((queue) => queue.keys.revoke(idOrName, reason)))[0]!.answer,
    },
  };
}

const newestFirst = (a: Pick<Job, 'createdAt'>, b: Pick<Job, 'createdAt'>): number =>
  b.createdAt.getTime() - a.createdAt.getTime();

/** The order in which a shard lists what fits. */
function compareFor(filter: string): (a: Job, b: Job) => number {
  return isByDueTime(readFilter(filter)) ? (a, b) => a.runAt.getTime() - b.runAt.getTime() : newestFirst;
}

const nameJob = (shard: string, job: Job): Job => ({
  ...job,
  id: nameId(shard, job.id),
  batch: job.batch === null ? null : nameId(shard, job.batch),
});

const nameBatch = (shard: string, batch: Batch): Batch => ({ ...batch, id: nameId(shard, batch.id) });
