import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { createMemoryQueue, drain, startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import type { Handler } from '../run/handler.js';
import { retry } from '../settle/outcome.js';
import type { Worker } from '../worker/create-worker.js';

const database = useTestDatabase();
const order = defineJob({
  type: 'order',
  payload: z.object({ id: z.int() }),
  retry: fixed('1ms'),
  maxAttempts: 4,
  durable: true,
});
const plain = defineJob({ type: 'plain', payload: z.object({ id: z.int() }) });
const catalog = defineCatalog([order, plain]);
type Take = Handler<typeof order>;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Runs one order with a handler for each of its attempts, the last one for all that follow; how it ended. */
async function run(...takes: readonly Take[]) {
  const handlers = {
    order: (context: Parameters<Take>[0]) => takes[Math.min(context.attempt, takes.length) - 1]!(context),
    plain: () => {},
  };
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers });
  workers.push(worker);
  const { id } = await enqueue(database.db, order, { id: 1 });
  await untilJob(database.db, id);
  return (await getJob(database.db, id)).job;
}
const failAt = (attempt: number, last: number): void => {
  if (attempt < last) throw new Error('not yet');
};

describe('a step', () => {
  test('that is done is done for every attempt that follows, with its result', async () => {
    const did: string[] = [];
    const job = await run(async ({ step, attempt }) => {
      const paid = await step('pay', () => {
        did.push('pay');
        return { charge: `c${attempt}` };
      });
      expect(paid).toEqual({ charge: 'c1' });
      failAt(attempt, 3);
      expect(await step('mail', () => void did.push('mail'))).toBeNull();
    });
    expect(job).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect(did).toEqual(['pay', 'mail']);
  });

  test('that threw is taken again, and its error decides as if the handler had thrown it', async () => {
    let tries = 0;
    const job = await run(async ({ step }) => {
      await step('pay', () => {
        if (++tries < 3) throw Object.assign(new Error('busy'), { status: 503 });
        throw Object.assign(new Error('no such card'), { status: 410 });
      });
    });
    expect(tries).toBe(3);
    expect(job).toMatchObject({ status: 'dead', attempts: 3, errorCode: 'http_410', lastError: 'no such card' });
  });

  test('that has failed stays failed once its handler has caught it and gone on: what compensates is gone on with', async () => {
    const did: string[] = [];
    const codes: unknown[] = [];
    const job = await run(async ({ step, attempt }) => {
      try {
        await step('pay', () => {
          did.push('pay');
          throw Object.assign(new Error('declined'), { code: 'card_declined' });
        });
      } catch (error) {
        codes.push((error as { code: unknown }).code);
        await step('free the seats', () => void did.push('free'));
        failAt(attempt, 2);
        throw error;
      }
    });
    expect(did).toEqual(['pay', 'free']);
    expect(codes).toEqual(['card_declined', 'card_declined']);
    expect(job).toMatchObject({ status: 'dead', errorCode: 'card_declined', lastError: 'declined' });
  });

  test('that runs beside one that threw is kept', async () => {
    const did: string[] = [];
    let end = (): void => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const job = await run(async ({ step, attempt }) => {
      await Promise.all([
        step('slow', async () => {
          await held;
          did.push('slow');
        }),
        step('quick', () => {
          setImmediate(end);
          failAt(attempt, 2);
        }),
      ]);
    });
    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(did).toEqual(['slow']);
  });

  test('that has a schema gives what it parses, in the attempt that did it and in those that follow', async () => {
    const seen: unknown[] = [];
    await run(async ({ step, attempt }) => {
      const at = await step('look', () => '2026-01-14T00:00:00.000Z', { result: z.coerce.date<string>() });
      seen.push(at);
      failAt(attempt, 2);
    });
    expect(seen).toEqual([new Date('2026-01-14'), new Date('2026-01-14')]);
  });
});

describe('of several at once', () => {
  test('the results come in the order in which they came at first, so that a race has the same winner', async () => {
    const winners: string[] = [];
    await run(async ({ step, attempt }) => {
      let end = (): void => {};
      const held = new Promise<void>((resolve) => (end = resolve));
      const slow = step('slow', async () => {
        await held;
        return 'slow';
      });
      const quick = step('quick', () => 'quick');
      winners.push(await Promise.race([slow, quick]));
      end();
      await Promise.all([slow, quick]);
      failAt(attempt, 2);
    });
    expect(winners).toEqual(['quick', 'quick']);
  });

  test('one that was on its way in the crash begins again, whatever was done beside it', async () => {
    const job = await run(async ({ step, attempt }) => {
      await Promise.all([
        (async () => {
          await step('a', () => 1);
          await step('b', () => 2);
          failAt(attempt, 2);
        })(),
        step('beside', async () => {
          if (attempt === 1) await new Promise((resolve) => setImmediate(resolve));
          failAt(attempt, 2);
        }),
      ]);
    });
    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
  });
});

describe('a run is dead with steps_changed', () => {
  const before: Take = async ({ step }) => {
    await step('pay', () => 1);
    await step('mail', () => 2);
    throw new Error('not yet');
  };

  test('where the handler asks for something new before what is done', async () => {
    let began = false;
    const job = await run(before, async ({ step }) => {
      await step('pay', () => 1);
      await step('check', () => void (began = true));
      await step('mail', () => 2);
    });
    expect(job).toMatchObject({ status: 'dead', errorCode: 'steps_changed', attempts: 2 });
    expect(job.lastError).toContain('has done the step "mail"');
    expect(began).toBe(false);
  });

  test('where it returns without having asked for what is done', async () => {
    const job = await run(before, async ({ step }) => void (await step('pay', () => 1)));
    expect(job).toMatchObject({ status: 'dead', errorCode: 'steps_changed', attempts: 2 });
  });

  test('and not where it asks for more behind it, or gives up before it', async () => {
    const job = await run(
      before,
      async ({ step }) => {
        await step('pay', () => 1);
        return retry('not yet');
      },
      async ({ step }) => {
        await step('pay', () => 1);
        await step('mail', () => 2);
        await step('thank', () => 3);
      },
    );
    expect(job).toMatchObject({ status: 'succeeded', attempts: 3 });
  });
});

describe('a mark in the code (patched)', () => {
  const before: Take = async ({ step }) => {
    await step('pay', () => 1);
    await step('mail', () => 2);
    throw new Error('not yet');
  };
  const way = (ways: string[]): Take => {
    return async ({ step, patched, attempt }) => {
      await step('pay', () => 1);
      if (await patched('v2')) await step('check', () => void ways.push('new'));
      else ways.push('old');
      await step('mail', () => 2);
      failAt(attempt, 3);
    };
  };

  test('leads a run that had gone past it on the old way, in every attempt', async () => {
    const ways: string[] = [];
    expect(await run(before, way(ways))).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect(ways).toEqual(['old', 'old']);
  });

  test('leads a run that comes to it first on the new way, in every attempt', async () => {
    const ways: string[] = [];
    const first: Take = async ({ step }) => {
      await step('pay', () => 1);
      throw new Error('not yet');
    };
    expect(await run(first, way(ways))).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect(ways).toEqual(['new']);
  });
});

describe('misuse is told', () => {
  test.each<[string, string, Take]>([
    [
      'two steps of one name',
      'step_named_twice',
      async ({ step }) => void (await step('a', () => 1), await step('a', () => 2)),
    ],
    ['a name that cannot be stored', 'step_misused', async ({ step }) => void (await step('', () => 1))],
    ['a result that is no JSON', 'step_misused', async ({ step }) => void (await step('a', () => new Date() as never))],
  ])('of %s: %s', async (_, code, take) => {
    expect(await run(take)).toMatchObject({ status: 'dead', errorCode: code, attempts: 1 });
  });

  test('of a contract that is not durable: not_durable', async () => {
    const queue = createMemoryQueue();
    const { worker, events } = await startTestWorker<typeof catalog>(queue, {
      catalog,
      handlers: {
        order: () => {},
        plain: async (context) => void (await (context as unknown as { step: (name: string) => unknown }).step('a')),
      },
    });
    workers.push(worker);
    const { id } = await queue.enqueue(plain, { id: 1 });
    await drain(queue, { events });
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'dead', errorCode: 'not_durable' });
  });
});

describe('a step in a transaction', () => {
  const count = async (): Promise<number> =>
    (await database.db.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM seats`)[0]!.n;

  test('commits with what it writes, and is rolled back with it', async () => {
    await database.db.$executeRaw`CREATE TABLE seats (attempt int)`;
    const job = await run(async ({ step, attempt }) => {
      const seats = await database.db.$transaction(async (tx) => {
        const answer = await step.in(tx, 'reserve', async (own) => {
          await own.$executeRaw`INSERT INTO seats VALUES (${attempt}::int)`;
          return attempt;
        });
        failAt(attempt, 2);
        return answer;
      });
      expect(seats).toBe(2);
      failAt(attempt, 4);
    });
    expect(job).toMatchObject({ status: 'succeeded', attempts: 4 });
    expect(await count()).toBe(1);
    expect(await database.db.$queryRaw`SELECT attempt FROM seats`).toEqual([{ attempt: 2 }]);
  });

  test('of a claim that has lost its run rolls back, and what it wrote is gone', async () => {
    await database.db.$executeRaw`CREATE TABLE IF NOT EXISTS seats (attempt int)`;
    const before = await count();
    await run(async ({ step, attempt, run: { id } }) => {
      if (attempt > 1) return;
      await database.db.$transaction((tx) =>
        step.in(tx, 'reserve', async (own) => {
          await own.$executeRaw`INSERT INTO seats VALUES (9)`;
          await database.db.$executeRaw`
            UPDATE duework.job_runs SET fence = fence + 1, locked_until = now() - interval '1 hour' WHERE id = ${BigInt(id)}`;
        }),
      );
    });
    expect(await count()).toBe(before);
  });
});
