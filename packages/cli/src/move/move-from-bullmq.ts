import { join } from 'node:path';
import type { JobContract } from '@duework/contracts';
import type { Act, Transactable } from '@duework/queue-core';
import { importInstalled } from '@duework/queue-core/handling';
import type { ForwardTarget } from '@duework/shards';
import { formatTable } from '../output/format-table.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { sayInstall } from '../project/install-command.js';
import { moveBackToBullmq } from './move-back-to-bullmq.js';
import { confirmMove, type MoveOptions } from './run-move.js';
import { readTypeNames } from './type-names.js';

/** One line of what `planBringBack` of @duework/bullmq answers. */
interface PlannedJobs {
  readonly queue: string;
  readonly name: string | null;
  readonly place: string;
  readonly jobs: number;
  readonly type: string | null;
  readonly problem: string | null;
  readonly ids: readonly string[];
}

interface Place {
  readonly connection: unknown;
  readonly prefix: string;
}

/** The parts of @duework/bullmq that are used; they are loaded from the project. */
interface BullmqPackage {
  readonly connectRedis: (url: string) => { readonly connection: unknown; check(): Promise<void>; close(): void };
}
interface OutboxPackage {
  readonly planBringBack: (
    place: Place & { readonly contracts: readonly JobContract[] },
  ) => Promise<readonly PlannedJobs[]>;
  readonly bullmqTarget: (place: Place) => ForwardTarget & { close(): void };
  readonly bringBack: (
    options: Place & {
      readonly db: Transactable;
      readonly contract: JobContract;
      readonly queues: readonly string[];
      readonly signal: AbortSignal;
    },
  ) => Promise<{ readonly brought: number; readonly left: number }>;
}

const DEFAULT_PREFIX = 'bull';

/** Plans, asks, and brings what waits in BullMQ into the table, as `bringBack` does; or, with `--undo`, takes it back. */
export async function moveFromBullmq(parts: CommandParts, options: MoveOptions): Promise<void> {
  const { redisUrl, cwd } = parts;
  if (options.to === 'dedicated')
    throw new PlainError('option_wrong', 'BullMQ is what a dedicated queue is: docs/coming-from/bullmq.md says how.');
  if (options.names !== undefined)
    throw new PlainError('option_wrong', 'A job of BullMQ has the name of its type: --names goes with other systems.');
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
  const plan = await outbox.planBringBack({ ...place, contracts });
  if (options.dryRun) return write(options.json ? toJson(plan) : showPlan(plan, look));
  progress(showPlan(plan, look));
  const db = await parts.db();
  await confirmMove(parts, 'Move them from BullMQ?', options);
  const queues = [...new Set(plan.map(({ queue }) => queue))];
  const moved: MovedType[] = [];
  for (const contract of contracts) {
    let jobs = 0;
    // what is added while one call goes on, the next one finds
    for (let brought = 1; brought > 0 && !signal.aborted; jobs += brought) {
      ({ brought } = await outbox.bringBack({ ...place, db, contract, queues, signal }));
      progress(`\r${contract.type}: ${jobs + brought} moved`);
    }
    moved.push({ type: contract.type, jobs });
  }
  tell(parts, options, { moved, left: await outbox.planBringBack({ ...place, contracts }), isDone: !signal.aborted });
}

async function undo(
  parts: CommandParts,
  options: MoveOptions,
  { outbox, place, contracts, signal }: Run,
): Promise<void> {
  const db = await parts.db();
  await confirmMove(
    parts,
    `Move what waits of ${contracts.map(({ type }) => type).join(', ')} back to BullMQ?`,
    options,
  );
  const target = outbox.bullmqTarget(place);
  const act: Act = { by: parts.actor, via: 'command', reason: options.reason };
  const moved: MovedType[] = [];
  try {
    for (const contract of contracts) {
      const onPortion = (jobs: number): void => parts.progress(`\r${contract.type}: ${jobs} moved`);
      const { jobs, left } = await moveBackToBullmq({ db, target, act, signal, onPortion }, contract);
      moved.push({ type: contract.type, jobs, left });
    }
  } finally {
    target.close();
  }
  tell(parts, options, { moved, left: [], isDone: !signal.aborted });
}

interface MovedType {
  readonly type: string;
  readonly jobs: number;
  /** So many stay until a worker of Duework has run them. */
  readonly left?: number;
}

function tell(
  { write, progress, look, exitWith }: CommandParts,
  { json }: MoveOptions,
  report: { readonly moved: readonly MovedType[]; readonly left: readonly PlannedJobs[]; readonly isDone: boolean },
): void {
  const { moved, left, isDone } = report;
  progress('\n');
  if (!isDone) exitWith(130);
  if (json) return write(toJson(report));
  const rows = moved.map(({ type, jobs, left: staying = 0 }) => [
    type,
    String(jobs),
    staying === 0 ? '' : String(staying),
  ]);
  write(formatTable(['TYPE', 'MOVED', 'LEFT HERE'], rows, 'There are no types.', look));
  if (left.length > 0) write(`\nLeft in BullMQ:\n${showPlan(left, look)}`);
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function loadBullmq(dir: string): Promise<readonly [BullmqPackage, OutboxPackage]> {
  const load = async <T>(entry: string): Promise<T> => {
    const found = await importInstalled<T>(join(dir, 'package.json'), '@duework/bullmq', entry);
    if (found !== undefined) return found;
    const install = sayInstall(dir, ['@duework/bullmq', 'bullmq', 'ioredis'], { isDev: false });
    throw new PlainError('not_installed', `To read the jobs of BullMQ run: ${install}`);
  };
  return [await load<BullmqPackage>('.'), await load<OutboxPackage>('./outbox')];
}

const PLACES: Readonly<Record<string, string>> = {
  active: 'stays: a worker has it; what becomes of it moves with the next call',
  'waiting-children': 'stays: it waits for its children, and BullMQ has to end it',
  failed: 'stays, as history: retry it in BullMQ first, and it moves',
  repeat: 'stays: declare a schedule, and remove it with removeJobScheduler',
};

function showPlan(plan: readonly PlannedJobs[], look: CommandParts['look']): string {
  const rows = plan.map(({ queue, name, place, jobs, type, problem, ids }) => [
    queue,
    name ?? '',
    place,
    String(jobs),
    PLACES[place] ??
      (type === null
        ? `stays: ${problem} (${ids.slice(0, 5).join(', ')})`
        : [type, problem].filter(Boolean).join('; ')),
  ]);
  return formatTable(['QUEUE', 'NAME', 'PLACE', 'JOBS', 'BECOMES'], rows, 'There are no jobs.', look);
}
