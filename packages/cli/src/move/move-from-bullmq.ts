import type { JobContract } from '@duework/contracts';
import type { Act } from '@duework/queue-core';
import { formatTable } from '../output/format-table.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { loadBullmq, type FailedJob, type OutboxPackage, type Place, type PlannedJobs } from './bullmq-package.js';
import { handBackBullmq } from './hand-back-bullmq.js';
import type { HandedOver } from './hand-over.js';
import { handOverBullmq } from './hand-over-bullmq.js';
import { moveBackToBullmq, moveDeadBackToBullmq } from './move-back-to-bullmq.js';
import { confirmMove, type MoveOptions } from './run-move.js';
import { showSchedules } from './show-move.js';
import { readTypeNames } from './type-names.js';

const DEFAULT_PREFIX = 'bull';

/** Plans, asks, and brings what waits in BullMQ into the table, as `bringBack` does; or, with `--undo`, takes it back. */
export async function moveFromBullmq(parts: CommandParts, options: MoveOptions): Promise<void> {
  const { redisUrl, cwd } = parts;
  if (options.to === 'dedicated')
    throw new PlainError('option_wrong', 'BullMQ is what a dedicated queue is: docs/coming-from/bullmq.md says how.');
  if (options.names !== undefined)
    throw new PlainError('option_wrong', 'A job of BullMQ has the name of its type: --names goes with other systems.');
  if (options.fromDatabase !== undefined)
    throw new PlainError(
      'option_wrong',
      'BullMQ is in the Redis of REDIS_URL: --from-database goes with other systems.',
    );
  const url = redisUrl();
  if (url === null) throw new PlainError('redis_url_missing', 'REDIS_URL is not set: where is the Redis of BullMQ?');
  const { contracts } = readTypeNames((await parts.jobs()).catalog, options.types, []);
  const [{ connectRedis }, outbox] = await loadBullmq(cwd);
  const { connection, check, close } = connectRedis(url);
  const stopping = new AbortController();
  parts.onSignal(() => stopping.abort());
  try {
    await check();
    const place = { connection, prefix: options.prefix ?? DEFAULT_PREFIX };
    await (options.undo ? undo : bring)(parts, options, { outbox, place, contracts, signal: stopping.signal });
  } finally {
    close();
  }
}

interface Run {
  readonly outbox: OutboxPackage;
  readonly place: Place;
  readonly contracts: readonly JobContract[];
  readonly signal: AbortSignal;
}

async function bring(
  parts: CommandParts,
  options: MoveOptions,
  { outbox, place, contracts, signal }: Run,
): Promise<void> {
  const { write, progress, look } = parts;
  const db = await parts.db();
  const schedulers = new outbox.Schedulers(place);
  // who has said yes has seen it, and what stays is told at the end
  if (options.dryRun || !options.yes) {
    const jobs = await outbox.planBringBack({ ...place, contracts });
    const plan = { jobs, schedules: await handOverBullmq(db, schedulers, contracts, true) };
    if (options.dryRun) return write(options.json ? toJson(plan) : showPlan(plan, look));
    progress(showPlan(plan, look));
    await confirmMove(parts, 'Move them from BullMQ?', options);
  }
  // first, because then the jobs that they have made are jobs like others
  const schedules = await handOverBullmq(db, schedulers, contracts, false);
  const bringAll = async (contract: JobContract, failed: boolean): Promise<number> => {
    let all = 0;
    // what is added while one call goes on, the next one finds
    for (let brought = 1; brought > 0 && !signal.aborted; all += brought) {
      const onPortion = (some: number): void => progress(`\r${contract.type}: ${all + some} moved`);
      ({ brought } = await outbox.bringBack({ ...place, db, contract, queues: 'all', failed, signal, onPortion }));
    }
    return all;
  };
  const moved: MovedType[] = [];
  for (const contract of contracts)
    moved.push({ type: contract.type, jobs: await bringAll(contract, false), dead: await bringAll(contract, true) });
  const left = await outbox.planBringBack({ ...place, contracts });
  tell(parts, options, { moved, schedules, left, isDone: !signal.aborted });
}

async function undo(
  parts: CommandParts,
  options: MoveOptions,
  { outbox, place, contracts, signal }: Run,
): Promise<void> {
  const db = await parts.db();
  const types = contracts.map(({ type }) => type).join(', ');
  await confirmMove(parts, `Move what waits of ${types} back to BullMQ?`, options);
  const target = outbox.bullmqTarget(place);
  const schedulers = new outbox.Schedulers(place);
  const putBack = (jobs: readonly FailedJob[]) => outbox.putBackFailed(place, jobs);
  const act: Act = { by: parts.actor, via: 'command', reason: options.reason };
  const moved: MovedType[] = [];
  const schedules: HandedOver[] = [];
  try {
    for (const contract of contracts) {
      if (signal.aborted) break;
      // first, because due times that are due go back as jobs
      schedules.push(...(await handBackBullmq(db, schedulers, contract, act)));
      const onPortion = (jobs: number): void => parts.progress(`\r${contract.type}: ${jobs} moved`);
      const moving = { db, act, signal, onPortion };
      const { jobs, left } = await moveBackToBullmq({ ...moving, target }, contract);
      moved.push({
        type: contract.type,
        jobs,
        dead: await moveDeadBackToBullmq({ ...moving, putBack }, contract),
        left,
      });
    }
  } finally {
    target.close();
  }
  tell(parts, options, { moved, schedules, left: [], isDone: !signal.aborted });
}

interface MovedType {
  readonly type: string;
  readonly jobs: number;
  readonly dead: number;
  /** So many stay until a worker of Duework has run them. */
  readonly left?: number;
}

interface BullmqReport {
  readonly moved: readonly MovedType[];
  readonly schedules: readonly HandedOver[];
  readonly left: readonly PlannedJobs[];
  readonly isDone: boolean;
}

function tell({ write, progress, look, exitWith }: CommandParts, { json }: MoveOptions, report: BullmqReport): void {
  const { moved, schedules, left, isDone } = report;
  progress('\n');
  if (!isDone) exitWith(130);
  if (json) return write(toJson(report));
  const rows = moved.map(({ type, jobs, dead, left: staying = 0 }) => [
    type,
    String(jobs),
    String(dead),
    staying === 0 ? '' : String(staying),
  ]);
  write(formatTable(['TYPE', 'MOVED', 'MOVED DEAD', 'LEFT HERE'], rows, 'There are no types.', look));
  write(showSchedules(schedules, look));
  if (left.length > 0) write(`\nLeft in BullMQ:\n${showJobs(left, look)}`);
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const PLACES: Readonly<Record<string, string>> = {
  active: 'stays: a worker has it; what becomes of it moves with the next call',
  'waiting-children': 'stays: it waits for its children, and BullMQ has to end it',
};

interface BullmqPlan {
  readonly jobs: readonly PlannedJobs[];
  readonly schedules: readonly HandedOver[];
}

const showPlan = ({ jobs, schedules }: BullmqPlan, look: CommandParts['look']): string =>
  [showJobs(jobs, look), showSchedules(schedules, look)].filter(Boolean).join('\n');

function showJobs(plan: readonly PlannedJobs[], look: CommandParts['look']): string {
  const rows = plan.map(({ queue, name, place, jobs, type, problem, ids }) => [
    queue,
    name ?? '',
    place,
    String(jobs),
    PLACES[place] ??
      (type === null
        ? `stays: ${problem} (${ids.slice(0, 5).join(', ')})`
        : [place === 'failed' ? `${type}, dead` : type, problem].filter(Boolean).join('; ')),
  ]);
  return formatTable(['QUEUE', 'NAME', 'PLACE', 'JOBS', 'BECOMES'], rows, 'There are no jobs.', look);
}
