import { AskShards, type Answers, chooseShard, mergePages, nameId, type ShardProblem, splitId } from '@duework/shards';
import { findContract, jobRequest, type Batch, type Job } from '@duework/queue-core';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import type { Operations } from './operations.js';

/** How long a command waits for a shard. */
const WITHIN_MS = 5_000;

export interface ShardsParts extends Pick<CommandParts, 'jobs' | 'progress'> {
  readonly names: readonly string[];
  /** The operations on the database of one shard. */
  readonly of: (shard: string) => Operations;
}

/**
 * The operations on several shards: by id on the one that it names, lists and sums of all, and whoever does not answer is
 * named on stderr. What belongs to one shard alone wants `--shard`.
 */
export function onShards({ names, of, jobs, progress }: ShardsParts): Operations {
  const ask = new AskShards(WITHIN_MS);
  const tell = (problems: readonly ShardProblem[]): void => {
    for (const { shard, message } of problems) progress(`Shard ${shard} is left out: ${message}\n`);
  };
  const askAll = async <T>(question: (queue: Operations) => Promise<T>): Promise<Answers<T>['answers']> => {
    const { answers, problems } = await ask.ask(names, (shard) => question(of(shard)));
    tell(problems);
    return answers;
  };
  const all = async <T>(question: (queue: Operations) => Promise<readonly T[]>): Promise<T[]> =>
    (await askAll(question)).flatMap(({ answer }) => answer);
  const by = async <T>(
    id: string,
    act: (queue: Operations, number: string, shard: string) => Promise<T>,
  ): Promise<T> => {
    const { shard, id: number } = splitId(id);
    if (shard === null || !names.includes(shard))
      throw new PlainError(
        'shard_not_given',
        `${id} names no shard of SHARDS: ${names.join(', ')}. Give it as ${names[0]}.${id}, or --shard.`,
      );
    return act(of(shard), number, shard);
  };
  /** In each shard; throws where one of them has not done it. */
  const everywhere = async <T>(act: (queue: Operations) => Promise<T>): Promise<T[]> => {
    const { answers, problems } = await ask.ask(names, (shard) => act(of(shard)));
    const [problem] = problems;
    if (problem !== undefined)
      throw new PlainError(
        'shards_partly_done',
        `It is done in ${answers.map(({ shard }) => shard).join(', ')} and not in ${problem.shard}: ${problem.message} Do it again.`,
      );
    return answers.map(({ answer }) => answer);
  };

  return {
    place: `the shards ${names.join(', ')}`,
    async enqueue(type, payload, options) {
      const request = jobRequest(findContract((await jobs()).catalog, type), payload as never, options);
      const shard =
        chooseShard([request], { names, shardOf: undefined }) ?? names[Math.floor(Math.random() * names.length)]!;
      const job = await of(shard).enqueue(type, payload, options);
      return { ...job, id: nameId(shard, job.id) };
    },
    getJob: (id) =>
      by(id, async (queue, number, shard) => {
        const found = await queue.getJob(number);
        return { ...found, job: nameJob(shard, found.job) };
      }),
    explainJob: (id) => by(id, (queue, number) => queue.explainJob(number)),
    readSteps: (job) => by(job.id, (queue, number) => queue.readSteps({ ...job, id: number })),
    async findJobs({ filter, limit = 50, cursor }) {
      const found = await mergePages<Job>({
        limit,
        cursor,
        names,
        ask,
        compare: (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
        async read(shard, most, from) {
          const page = await of(shard).findJobs({ filter, limit: most, cursor: from });
          return { items: page.jobs.map((job) => nameJob(shard, job)), nextCursor: page.nextCursor };
        },
      });
      tell(found.problems);
      const { items, nextCursor } = found;
      const isComplete = nextCursor === null || items.length === limit;
      return { jobs: items, nextCursor, previousCursor: null, isComplete, hint: null };
    },
    async countJobs(filter) {
      const counts = (await askAll((queue) => queue.countJobs(filter))).map(({ answer }) => answer);
      const count = counts.reduce((sum, one) => sum + one.count, 0);
      return { count, isAtLeast: counts.length < names.length || counts.some(({ isAtLeast }) => isAtLeast) };
    },
    retryJob: (id, how) => by(id, (queue, number) => queue.retryJob(number, how)),
    updateJob: (id, change, reason) => by(id, (queue, number) => queue.updateJob(number, change, reason)),
    cancelJob: (id, reason) => by(id, (queue, number) => queue.cancelJob(number, reason)),
    batches: {
      async list({ limit, cursor }) {
        const found = await mergePages<Batch>({
          limit,
          cursor,
          names,
          ask,
          compare: (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
          async read(shard, most, from) {
            const page = await of(shard).batches.list({ limit: most, cursor: from });
            return { items: page.batches.map((batch) => nameBatch(shard, batch)), nextCursor: page.nextCursor };
          },
        });
        tell(found.problems);
        return { batches: found.items, nextCursor: found.nextCursor };
      },
      get: (id) => by(id, async (queue, number, shard) => nameBatch(shard, await queue.batches.get(number))),
      cancel: (id, reason) => by(id, (queue, number) => queue.batches.cancel(number, reason)),
    },
    readQueues: () => all((queue) => queue.readQueues()),
    readWorkers: () => all((queue) => queue.readWorkers()),
    readUnserved: () => all((queue) => queue.readUnserved()),
    listPauses: () => all((queue) => queue.listPauses()),
    async pause(target, options) {
      if (target.kind === 'schedule') return needsShard();
      await everywhere((queue) => queue.pause(target, options));
    },
    async resume(target, reason) {
      if (target.kind === 'schedule') return needsShard();
      const resumed = await everywhere((queue) => queue.resume(target, reason));
      return { wasPaused: resumed.some(({ wasPaused }) => wasPaused) };
    },
    async doctor() {
      const reports = await askAll((queue) => queue.doctor());
      return {
        findings: reports.flatMap(({ shard, answer }) =>
          answer.findings.map((finding) => ({ ...finding, sentence: `Shard ${shard}: ${finding.sentence}` })),
        ),
        replication: reports.flatMap(({ answer }) => answer.replication),
        checks: [...new Set(reports.flatMap(({ answer }) => answer.checks))],
      };
    },
    findSchedules: needsShard,
    triggerSchedule: needsShard,
    deleteSchedule: needsShard,
    readAudit: needsShard,
    bulk: {
      preview: needsShard,
      start: needsShard,
      get: needsShard,
      // what `status` shows of those that run
      list: async () => [],
      abort: needsShard,
      undo: needsShard,
      step: needsShard,
    },
    flow: {
      list: needsShard,
      keys: needsShard,
      preview: needsShard,
      change: needsShard,
      close: needsShard,
      open: needsShard,
    },
    keys: { create: needsShard, list: needsShard, revoke: needsShard },
  };

  async function needsShard(): Promise<never> {
    throw new PlainError('shard_not_given', `This is about one shard: add --shard with one of ${names.join(', ')}.`);
  }
}

const nameJob = (shard: string, job: Job): Job => ({
  ...job,
  id: nameId(shard, job.id),
  batch: job.batch === null ? null : nameId(shard, job.batch),
});

const nameBatch = (shard: string, batch: Batch): Batch => ({ ...batch, id: nameId(shard, batch.id) });
