import { expect, test } from '@jest/globals';
import type { WorkerEvent } from '../events.js';
import type { FiguresRow } from '../ports/upkeep.js';
import { countUntil } from './count-until.js';
import { FiguresTally } from './figures-tally.js';

const MINUTE_MS = 60_000;
const run = { queue: 'mail', type: 'send', waitedMs: 1 };
const claimed = { name: 'job.claimed', run } as unknown as WorkerEvent;
const succeeded = { name: 'job.succeeded', run, ranMs: 5 } as unknown as WorkerEvent;
const failed = { name: 'job.failed', run, ranMs: 5 } as unknown as WorkerEvent;

/** A worker that counts on a clock of its own, which begins with a minute of the store. */
function startCounting() {
  const figures = new FiguresTally();
  const written: { readonly atMs: number; readonly rows: readonly FiguresRow[] }[] = [];
  const stopping = new AbortController();
  let nowMs = 0;
  let timer: { readonly atMs: number; readonly ring: () => void } | null = null;
  const clock = {
    monotonicMs: () => nowMs,
    after: (ms: number, ring: () => void) => {
      timer = { atMs: nowMs + ms, ring };
      return () => (timer = null);
    },
  };
  const store = {
    writeFigures: (rows: readonly FiguresRow[]) => {
      if (rows.length > 0) written.push({ atMs: nowMs, rows });
      return Promise.resolve(nowMs);
    },
  };
  const report = { succeeded: () => {}, failed: () => {} };
  const over = countUntil(
    stopping.signal,
    { figures, clock, store, report, random: () => 0.5 } as unknown as Parameters<typeof countUntil>[1],
    MINUTE_MS,
  );
  return {
    figures,
    written,
    async until(toMs: number): Promise<void> {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (timer === null || timer.atMs > toMs) break;
        nowMs = timer.atMs;
        timer.ring();
      }
      nowMs = toMs;
    },
    stop: () => {
      stopping.abort();
      return over;
    },
  };
}

test('what fails is written within the minute, and its minute is that in which it failed', async () => {
  const { figures, written, until, stop } = startCounting();
  figures.note(claimed);
  await until(2 * MINUTE_MS + 15_000);
  written.length = 0;
  for (const event of [claimed, claimed, failed, succeeded]) figures.note(event);
  await until(2 * MINUTE_MS + 30_000);
  expect(written).toMatchObject([
    { atMs: expect.any(Number), rows: [{ atMs: 2 * MINUTE_MS, claimed: 2, failed: 1, succeeded: 1 }] },
  ]);
  figures.note(succeeded);
  await until(4 * MINUTE_MS);
  expect(written.slice(1)).toMatchObject([{ rows: [{ atMs: 2 * MINUTE_MS, succeeded: 1, failed: 0 }] }]);
  await stop();
});

test('the first work after a pause is written within the minute, and what goes on as before once a minute', async () => {
  const { figures, written, until, stop } = startCounting();
  await until(MINUTE_MS + 5_000);
  figures.note(claimed);
  await until(MINUTE_MS + 20_000);
  expect(written).toHaveLength(1);
  for (let second = 20; second < 175; second += 5) {
    figures.note(succeeded);
    await until(MINUTE_MS + second * 1_000);
  }
  expect(written.map(({ atMs }) => Math.floor(atMs / MINUTE_MS))).toEqual([1, 2, 3]);
  await stop();
});
