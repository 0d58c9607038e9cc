import { readFile } from 'node:fs/promises';
import type { Act, Transactable } from '@duework/queue-core';
import { forwardWaiting } from '@duework/shards';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { graphileWorker } from './graphile-worker.js';
import { moveBack } from './move-back.js';
import { arriveAll, moveJobsApart, type Apart } from './move-apart.js';
import { moveBackApart } from './move-back-apart.js';
import { moveJobs, type Moved } from './move-jobs.js';
import type { OldSystem } from './old-system.js';
import { pgBoss } from './pg-boss.js';
import { namesToMove, planMove } from './plan-move.js';
import { showPlan, showReport, type MoveReport } from './show-move.js';
import { makeMovingTables } from './sql/moving-jobs.js';
import { nameSchema } from './sql/name-schema.js';
import { Stays } from './stays.js';
import { readTypeNames, type TypeNames } from './type-names.js';

/** The options of the command. */
export interface MoveOptions {
  readonly from: 'bullmq' | 'pg-boss' | 'graphile-worker';
  readonly to?: 'table' | 'dedicated';
  readonly types?: readonly string[];
  readonly names?: readonly string[];
  readonly schema?: string;
  readonly crontab?: string;
  readonly prefix?: string;
  readonly fromDatabase?: string;
  readonly undo?: true;
  readonly reason?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** As workers of a product call the target of forwards that is their dedicated queue. */
const DEDICATED = 'dedicated';

/** Plans a move, asks, and moves. Exit code 130: a signal ended it between two transactions. */
export async function runMove(parts: CommandParts, options: MoveOptions): Promise<void> {
  const { write, progress, look, exitWith, actor } = parts;
  const names = readTypeNames((await parts.jobs()).catalog, options.types, options.names ?? []);
  const db = await parts.db();
  const apart = await openApart(parts, options);
  const system = await openSystem(apart?.db ?? db, options, apart !== null);
  await system.check();
  if (apart !== null && !options.dryRun) await makeMovingTables(apart.db, apart.schema);
  const stopping = new AbortController();
  parts.onSignal(() => stopping.abort());
  const { signal } = stopping;
  const act: Act = { by: actor, via: 'command', reason: options.reason };
  const toJson = (value: unknown): void => write(`${JSON.stringify(value, null, 2)}\n`);
  let question = `Move what waits of ${names.contracts.map(({ type }) => type).join(', ')} back to ${system.name}?`;
  // who has said yes has seen the plan, and what stays is told at the end
  if (options.undo !== true && (options.dryRun || !options.yes)) {
    const schedules = await system.handOver(names.contractOf, true);
    const plan = await planMove(system, names.contractOf, schedules, signal);
    if (options.dryRun) return options.json ? toJson(plan) : write(showPlan(plan, look));
    progress(showPlan(plan, look));
    question = `Move ${plan.jobs} jobs from ${system.name}?`;
  }
  await confirmMove(parts, question, options);
  const told = (moved: Moved): void => progress(`\r${moved.name}: ${moved.waiting + moved.dead} moved`);
  const report = await (options.undo ? undo : move)({
    db,
    apart,
    system,
    names,
    act,
    signal,
    onPortion: told,
    isDedicated: options.to === 'dedicated',
  });
  progress('\n');
  if (!report.isDone) exitWith(130);
  if (options.json) toJson(report);
  else write(showReport(report, look));
}

/** null: the old system is in the database of Duework. */
async function openApart(parts: CommandParts, { from, schema, fromDatabase }: MoveOptions): Promise<Apart | null> {
  if (fromDatabase === undefined) return null;
  const defaultSchema = from === 'pg-boss' ? 'pgboss' : 'graphile_worker';
  return { db: await parts.otherDb(fromDatabase), schema: nameSchema(schema ?? defaultSchema) };
}

async function openSystem(
  db: Transactable,
  { from, schema, crontab }: MoveOptions,
  isApart: boolean,
): Promise<OldSystem> {
  if (crontab !== undefined && (isApart || from !== 'graphile-worker'))
    throw new PlainError('option_wrong', '--crontab goes with --from graphile-worker, in the database of Duework.');
  if (from === 'pg-boss') return pgBoss(db, schema, isApart);
  return graphileWorker(db, schema, { isApart, ...(crontab && { crontab: await readFile(crontab, 'utf8') }) });
}

/** Throws `PlainError` where nobody said yes, or can be asked. */
export async function confirmMove(
  { confirm }: CommandParts,
  question: string,
  { yes }: Pick<MoveOptions, 'yes'>,
): Promise<void> {
  if (yes) return;
  if (confirm === undefined)
    throw new PlainError('confirmation_needed', 'Nothing was moved: without a terminal, confirm with --yes.');
  if (!(await confirm(question))) throw new PlainError('not_confirmed', 'Nothing was moved.');
}

interface Run {
  readonly db: Transactable;
  /** Where the old system is; null: in the same database. */
  readonly apart: Apart | null;
  readonly system: OldSystem;
  readonly names: TypeNames;
  readonly act: Act;
  readonly signal: AbortSignal;
  readonly onPortion: (moved: Moved) => void;
  /** Whether they go on to the dedicated queue. */
  readonly isDedicated: boolean;
}

async function move(run: Run): Promise<MoveReport> {
  const { db, apart, system, names, signal } = run;
  const stays = new Stays();
  // what a call has left on its way that did not come to its end
  const resumed = apart && (await arriveAll({ ...run, apart }, names.contractOf, stays));
  const moved: Moved[] = [];
  // first, so that what they have made until then moves, too
  const schedules = await system.handOver(names.contractOf, false);
  for (const [name, contract] of namesToMove(await system.count(), names.contractOf)) {
    if (signal.aborted) break;
    const moveThem =
      apart === null ? moveJobs(run, name, contract, stays) : moveJobsApart({ ...run, apart }, name, contract, stays);
    moved.push(await moveThem);
    if (run.isDedicated) await forwardWaiting(db, DEDICATED, contract, signal);
  }
  if (resumed && resumed.waiting + resumed.dead > 0) moved.push({ name: 'on their way before', ...resumed });
  return { moved, stays: stays.list(), schedules, isDone: !signal.aborted };
}

async function undo(run: Run): Promise<MoveReport> {
  const { apart, system, names, act, signal } = run;
  const stays = new Stays();
  const moved: Moved[] = [];
  const schedules = await system.handBack(names, act);
  const known = await system.names();
  for (const contract of names.contracts) {
    if (signal.aborted) break;
    const name = names.nameOf(contract, known);
    moved.push(
      await (apart === null
        ? moveBack(run, name, contract, stays)
        : moveBackApart({ ...run, apart }, name, contract, stays)),
    );
  }
  return { moved, stays: stays.list(), schedules, isDone: !signal.aborted };
}
