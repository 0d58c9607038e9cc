import { expect, test } from '@jest/globals';
import type { DrillResult } from './drill.js';
import { report } from './report.js';

/** A drill of five receipts in which every promise was kept. */
const kept = {
  engineClient: 'pg',
  receipts: 5,
  refused: 1,
  leaseMs: 10_000,
  asked: [],
  warnings: [],
  mail: {
    accepted: new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, 1])),
    acceptedCount: () => 5,
    refusals: () => 1,
    waitsMs: [2_000],
  },
  shutdown: { tookMs: 3_100, deadlineMs: 3_000, how: 'exit code 0', left: 0 },
  recovery: { tookMs: 4_000, runs: 2 },
  succeeded: 5,
  released: 1,
  overcharged: 0,
  tookMs: 20_000,
} as unknown as DrillResult;

/** The exit code, and what is printed. */
function reportOf(drill: DrillResult): { code: number; printed: string } {
  const { write } = process.stdout;
  let printed = '';
  process.stdout.write = (text) => ((printed += String(text)), true);
  try {
    return { code: report(drill), printed };
  } finally {
    process.stdout.write = write;
  }
}

test('a drill in which every promise was kept is reported so', () => {
  expect(reportOf(kept)).toMatchObject({ code: 0 });
});

test('a drill in which a worker warned has failed, and the warning is quoted', () => {
  const warning = 'drill-first: (node:7) MaxListenersExceededWarning: Possible EventEmitter memory leak';
  const { code, printed } = reportOf({ ...kept, warnings: [warning] });
  expect(code).toBe(1);
  expect(printed).toContain(warning);
  expect(printed).toContain('1 of 8 promises broke');
});
