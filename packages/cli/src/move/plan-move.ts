import type { JobContract } from '@duework/contracts';
import { eachPortion, judge } from './move-jobs.js';
import type { OldCount, OldSystem } from './old-system.js';
import type { ContractOf } from './type-names.js';
import type { HandedOver } from './hand-over.js';
import { Stays } from './stays.js';
import type { StayingJobs } from './stays.js';

export interface PlannedCount extends OldCount {
  /** The type that they become; null: they stay. */
  readonly type: string | null;
}

/** What a move would do. */
export interface MovePlan {
  readonly counts: readonly PlannedCount[];
  /** So many would be moved. */
  readonly jobs: number;
  readonly stays: readonly StayingJobs[];
  readonly schedules: readonly HandedOver[];
}

/** Reads every job that could move, and writes nothing. */
export async function planMove(
  system: OldSystem,
  contractOf: ContractOf,
  schedules: readonly HandedOver[],
  signal: AbortSignal,
): Promise<MovePlan> {
  const counts = (await system.count()).map((count) => ({ ...count, type: contractOf(count.name)?.type ?? null }));
  const stays = new Stays();
  let jobs = 0;
  for (const [name, contract] of namesToMove(counts, contractOf))
    await eachPortion(system, name, signal, async (ids) => {
      const judged = judge(system.name, contract, await system.read(name, ids));
      jobs += judged.ready.length;
      for (const [id, why] of judged.stays) stays.add(name, why, id);
    });
  return { counts, jobs, stays: stays.list(), schedules };
}

/** The names whose jobs a contract takes. */
export function namesToMove(
  counts: readonly OldCount[],
  contractOf: ContractOf,
): readonly (readonly [string, JobContract])[] {
  return [...new Set(counts.map(({ name }) => name))].flatMap((name) => {
    const contract = contractOf(name);
    return contract === null ? [] : [[name, contract] as const];
  });
}
