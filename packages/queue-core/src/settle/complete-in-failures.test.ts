import { defineCatalog } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { pause } from '../clock.js';
import type { Queryable } from '@duework/sql';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import { echo } from '@duework/testing/fixtures';

const catalog = defineCatalog([echo]);
const noTransaction: Queryable = { $queryRaw: () => Promise.reject(new Error('no SQL')) };

test.each([
  ['after', 10],
  ['while', 2_500],
])(
  'a handler that goes on after its transaction has failed is aborted when its lease is lost, %s it failed',
  async (_, failsAfterMs) => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const away = async (): Promise<never> => {
      throw new Error('the connection was lost');
    };
    const store = { ...queue.store, extendLeases: away, completeIn: async () => pause(clock, failsAfterMs).then(away) };
    const told: unknown[] = [];
    const { worker, events } = await startTestWorker<typeof catalog>(
      { store },
      {
        catalog,
        clock,
        handlers: {
          echo: async ({ completeIn, signal, fence }) => {
            await completeIn(noTransaction).catch(() => {});
            await pause(clock, 60_000, signal);
            told.push([fence, (signal.reason as { code: string }).code]);
          },
        },
      },
    );
    await queue.enqueue(echo, { n: 1 });
    await clock.advance(2_600);
    expect(told[0]).toEqual([1, 'lease_lost']);
    expect(events.named('lease.lost').filter(({ run }) => run.fence === 1)).toHaveLength(1);
    const stopped = worker.stop({ deadlineMs: 0 });
    await clock.advance(20_000);
    await stopped;
  },
);
