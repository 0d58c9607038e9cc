import type { QueueState, Times } from '@duework/operate';
import type { Cell } from '../output/format-table.js';

/** SUCCEEDED and all behind it is of the last five minutes; SLOTS are those that the jobs need which come. */
export const QUEUE_COLUMNS = [
  'QUEUE',
  'TYPE',
  'DUE',
  'LATER',
  'RETRYING',
  'RUNNING',
  'HELD',
  'OLDEST',
  '5 MIN: OK',
  'FAILED',
  'DEAD',
  'WAIT P95',
  'RUN P95',
  'SLOTS',
  'PAUSED',
];

/** One queue and type as a row of a table. */
export function toQueueRow(state: QueueState): Cell[] {
  const count = (value: number): string => value.toLocaleString('en-US');
  const bad = (value: number, style: 'yellow' | 'red'): Cell => (value === 0 ? '0' : { text: count(value), style });
  return [
    state.queue,
    state.type,
    count(state.due) + (state.isAtLeast ? '+' : ''),
    count(state.scheduled),
    count(state.retrying),
    count(state.running),
    count(state.held),
    state.oldestWaitingSeconds === 0 ? '' : showMs(state.oldestWaitingSeconds * 1_000),
    count(state.succeeded),
    bad(state.failed, 'yellow'),
    bad(state.dead, 'red'),
    showP95(state.wait),
    showP95(state.run),
    state.slotsNeeded === null ? '' : String(Number(state.slotsNeeded.toPrecision(2))),
    { text: state.pauses.map(({ kind }) => kind).join(', '), style: 'yellow' },
  ];
}

const showP95 = ({ p95Ms }: Times): string => (p95Ms === null ? '' : showMs(p95Ms));

/** `4 ms`, `2.5 s`, `12 min`, `3 h`. */
export function showMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
