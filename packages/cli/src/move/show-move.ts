import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';
import type { HandedOver } from './hand-over.js';
import type { Moved } from './move-jobs.js';
import type { OldState } from './old-system.js';
import type { MovePlan } from './plan-move.js';
import type { StayingJobs } from './stays.js';

/** What a move has done. */
export interface MoveReport {
  readonly moved: readonly Moved[];
  readonly stays: readonly StayingJobs[];
  readonly schedules: readonly HandedOver[];
  /** Whether it came to its end. */
  readonly isDone: boolean;
}

const MOST_IDS = 5;

export function showPlan({ counts, jobs, stays, schedules }: MovePlan, look: Look): string {
  const rows = counts.map(({ name, queue, state, jobs: count, type }) => [
    name,
    queue ?? '',
    state,
    String(count),
    becomes(state, type),
  ]);
  return [
    formatTable(['NAME', 'QUEUE', 'STATE', 'JOBS', 'BECOMES'], rows, 'There are no jobs.', look),
    showSchedules(schedules, look),
    showStays(stays),
    `${jobs} jobs would move.\n`,
  ].join('\n');
}

const becomes = (state: OldState, type: string | null): string => {
  if (state === 'ended') return 'stays, as history';
  if (type === null) return 'stays: no contract to move; --names <name>=<type> says one';
  if (state === 'running') return `stays: it runs; what becomes of it moves with the next call`;
  return state === 'failed' ? `${type}, dead` : type;
};

export function showSchedules(schedules: readonly HandedOver[], look: Look): string {
  if (schedules.length === 0) return '';
  const rows = schedules.map(({ name, rule, key, stays, without = null }) => [
    name,
    rule,
    key === null ? `stays: ${stays}` : without === null ? key : `${key}, without its ${without}`,
  ]);
  return formatTable(['SCHEDULE', 'RULE', 'BECOMES'], rows, '', look);
}

const showStays = (stays: readonly StayingJobs[]): string =>
  stays
    .map(({ name, why, jobs, ids }) => {
      const named = ids.slice(0, MOST_IDS).join(', ');
      return `${name}: ${jobs} stay, because ${why} (${named}${jobs > MOST_IDS ? ', …' : ''})\n`;
    })
    .join('');

export function showReport({ moved, stays, schedules, isDone }: MoveReport, look: Look): string {
  const rows = moved.map(({ name, waiting, dead }) => [name, String(waiting), String(dead)]);
  return [
    formatTable(['NAME', 'MOVED', 'MOVED DEAD'], rows, 'There was nothing to move.', look),
    showSchedules(schedules, look),
    showStays(stays),
    isDone ? '' : 'Interrupted between two transactions: run it again, and it goes on.\n',
  ]
    .filter(Boolean)
    .join('\n');
}
