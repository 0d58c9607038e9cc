import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { enqueue } from '../enqueue/enqueue.js';
import type { Handler, JobContext } from '../run/handler.js';
import { getJob, retryJob } from '../queue/operate.js';
import { complete } from '../settle/outcome.js';
import { beginEffect } from '../sql/effects/begin-effect.js';
import { endEffect } from '../sql/effects/end-effect.js';
import { recordStarts, startTestWorker } from '@duework/testing';
import { emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import type { EffectContext } from './effect-context.js';

const database = useTestDatabase();
const options = {
  payload: z.object({ order: z.int() }),
  retry: fixed('1ms'),
  lease: '2s',
  idempotencyKey: ({ order }: { order: number }) => `order:${order}`,
} as const;
const careful = defineJob({ ...options, type: 'careful' });
const insistent = defineJob({ ...options, type: 'insistent', effects: 'at_least_once' });
const catalog = defineCatalog([careful, insistent]);

const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_effects, job_keys');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(
  handler: (context: JobContext) => ReturnType<Handler<typeof careful>>,
  more: Partial<WorkerOptions<typeof catalog>> = {},
) {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { careful: handler, insistent: handler },
    ...more,
  });
  workers.push(started.worker);
  return started;
}

/** Leaves an effect as a worker leaves it that died in the middle: begun by a claim that is over. */
async function dieDuring(type: 'careful' | 'insistent', order: number): Promise<string> {
  const contract = type === 'careful' ? careful : insistent;
  const { id } = await enqueue(database.db, contract, { order }, { delay: '1h' });
  await database.db.$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, run_id, fence) VALUES (${type}, ${`order:${order}`}, 'mail', ${BigInt(id)}, 0)`;
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
  return id;
}

describe('once', () => {
  test('an effect happens once, and a second run gets its result', async () => {
    const sent: EffectContext[] = [];
    const results: unknown[] = [];
    const { events } = await start(async ({ once, attempt }) => {
      results.push(
        await once('mail', (about) => {
          sent.push(about);
          return { messageId: 'm-1' };
        }),
      );
      if (attempt < 3) throw new Error('broke after the mail');
    });
    await enqueue(database.db, careful, { order: 1 });
    await events.waitFor('job.succeeded');
    expect(sent).toMatchObject([{ key: 'careful:order:1:mail', isRepeat: false }]);
    expect(results).toEqual([{ messageId: 'm-1' }, { messageId: 'm-1' }, { messageId: 'm-1' }]);
  });

  test('a run without a key has effects of its own', async () => {
    let sent = 0;
    const { events } = await start(async ({ once }) => void (await once('mail', () => void sent++)));
    for (let n = 0; n < 2; n++) await enqueue(database.db, careful, { order: 1 }, { idempotencyKey: null });
    await events.waitFor('job.succeeded', 2);
    expect(sent).toBe(2);
  });

  test('an effect can belong to its own business event, whatever the key of the run', async () => {
    let sent = 0;
    const { events } = await start(
      async ({ once }) => void (await once('mail', () => void sent++, { key: 'invoice:812' })),
      { concurrency: 1 },
    );
    for (const idempotencyKey of [null, 'another', 'a third'])
      await enqueue(database.db, careful, { order: 812 }, { idempotencyKey });
    await events.waitFor('job.succeeded', 3);
    expect(sent).toBe(1);
  });

  test('at most once: an effect that may have happened is not done again, and a person is asked', async () => {
    let sent = 0;
    const { events } = await start(async ({ once }) => void (await once('mail', () => void sent++)));
    const id = await dieDuring('careful', 2);
    await events.waitFor('job.dead');
    expect(sent).toBe(0);
    expect((await getJob(database.db, id)).job).toMatchObject({
      status: 'dead',
      errorCode: 'effect_unknown',
      lastError: expect.stringContaining('"mail" of careful order:2'),
    });
    // the operator has checked, and wants the effect done
    await retryJob(database.db, id);
    await events.waitFor('job.succeeded');
    expect(sent).toBe(1);
  });

  test('an operator who has checked can say that the effect happened: the run goes on without repeating it', async () => {
    let sent = 0;
    const { events } = await start(async ({ once }) => {
      expect(await once('mail', () => void sent++)).toBeNull();
    });
    const id = await dieDuring('careful', 22);
    await events.waitFor('job.dead');
    await retryJob(database.db, id, { effectsHappened: true });
    await events.waitFor('job.succeeded');
    expect(sent).toBe(0);
  });

  test('an attempt that dies before it has marked the effect unknown does not let the next attempt repeat it', async () => {
    let sent = 0;
    const { events } = await start(async ({ once }) => void (await once('mail', () => void sent++)));
    const id = await dieDuring('careful', 23);
    await database.db.$executeRaw`UPDATE duework.job_effects SET status = 'unknown'`;
    await events.waitFor('job.dead');
    expect(sent).toBe(0);
    expect((await getJob(database.db, id)).job).toMatchObject({ errorCode: 'effect_unknown' });
  });

  test('at least once: the effect is done again under the same key, and learns that it is a repeat', async () => {
    const sent: EffectContext[] = [];
    const { events } = await start(async ({ once }) => void (await once('mail', (about) => void sent.push(about))));
    await dieDuring('insistent', 3);
    await events.waitFor('job.succeeded');
    expect(sent).toMatchObject([{ key: 'insistent:order:3:mail', isRepeat: true }]);
  });

  test.each([
    ['nobody listens', 4, { code: 'ECONNREFUSED' }],
    ['a mail server refuses for now', 41, { responseCode: 421 }],
    ['a service answers 429', 42, { response: { status: 429 } }],
  ])('an effect that certainly did not happen is simply tried again: %s', async (_, order, error) => {
    let tries = 0;
    const { events } = await start(
      async ({ once }) =>
        void (await once('mail', () => {
          if (++tries === 1) throw Object.assign(new Error('refused'), error);
        })),
    );
    await enqueue(database.db, careful, { order });
    await events.waitFor('job.succeeded');
    expect(tries).toBe(2);
  });

  test.each([
    [
      'refused for good by a mail server is dead as the server said',
      43,
      { responseCode: 550, code: 'EENVELOPE' },
      'EENVELOPE',
    ],
    ['answered with 503, perhaps by a proxy, is a person’s to decide', 44, { status: 503 }, 'effect_unknown'],
  ])('an effect that is %s', async (_, order, error, code) => {
    const { events } = await start(
      async ({ once }) =>
        void (await once('mail', () => {
          throw Object.assign(new Error('refused'), error);
        })),
    );
    await enqueue(database.db, careful, { order });
    expect(await events.waitFor('job.dead')).toMatchObject([{ error: { code } }]);
  });

  test('a repeat that certainly did not happen leaves the next try a repeat: an earlier one may have happened', async () => {
    const repeats: boolean[] = [];
    const { events } = await start(async ({ once }) => {
      await once('mail', ({ isRepeat }) => {
        repeats.push(isRepeat);
        if (repeats.length === 1) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      });
    });
    await dieDuring('insistent', 1);
    await events.waitFor('job.succeeded');
    expect(repeats).toEqual([true, true]);
  });

  test('a person decides about an effect that threw without saying whether it happened', async () => {
    let tries = 0;
    const { events } = await start(
      async ({ once }) =>
        void (await once('mail', () => {
          tries++;
          throw Object.assign(new Error('the answer never came'), { code: 'ECONNRESET' });
        })),
    );
    const { id } = await enqueue(database.db, careful, { order: 5 });
    await events.waitFor('job.dead');
    expect(tries).toBe(1);
    expect((await getJob(database.db, id)).job).toMatchObject({ errorCode: 'effect_unknown' });
  });

  test('an effect that begins late can fail before it begins, and no person has to decide', async () => {
    let tries = 0;
    let sent = 0;
    const { events } = await start(async ({ once, attempt }) => {
      await once(
        'mail',
        async ({ begin }) => {
          if (++tries === 1) throw Object.assign(new Error('cut while signing in'), { code: 'ECONNRESET' });
          await begin();
          sent++;
        },
        { beginLate: true },
      );
      if (attempt === 2) throw new Error('broke after the mail');
    });
    await enqueue(database.db, careful, { order: 11 });
    await events.waitFor('job.succeeded');
    expect({ tries, sent }).toEqual({ tries: 2, sent: 1 });
  });

  test('an effect that begins late is a person’s to judge from then on', async () => {
    const { events } = await start(
      async ({ once }) =>
        void (await once(
          'mail',
          async ({ begin }) => {
            await begin();
            throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
          },
          { beginLate: true },
        )),
    );
    const { id } = await enqueue(database.db, careful, { order: 12 });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ errorCode: 'effect_unknown', attempts: 1 });
  });

  test('the fence: a worker that lost its lease cannot begin an effect', async () => {
    let sent = 0;
    const starts = recordStarts();
    const { events } = await start(
      async ({ once, run }) => {
        await database.db
          .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(run.id)}`;
        await once('mail', () => void sent++);
      },
      { middleware: starts.middleware },
    );
    const { id } = await enqueue(database.db, careful, { order: 6 });
    // nothing is written by the loser: the only trace is that the other one still has it
    await starts.waitFor(1);
    await workers[0]!.stop({ deadlineMs: 60_000 });
    expect(sent).toBe(0);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', worker: 'another' });
    expect(await database.db.jobEffect.count()).toBe(0);
    expect(events.named('lease.lost')).toHaveLength(1);
  });

  test('a run that passes on while its effect begins: the effect does not begin', async () => {
    const { id } = await enqueue(database.db, careful, { order: 24 });
    await database.db.$executeRaw`
      UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'slow', locked_until = now(), claimed_at = now() WHERE id = ${BigInt(id)}`;
    const beginning = await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE duework.job_runs SET attempts = 2, fence = 2, locked_by = 'fast' WHERE id = ${BigInt(id)}`;
      return untilItWaits(database.db, database.connect({ poolSize: 1 }), (slow) =>
        beginEffect(slow, { id, fence: 1, type: 'careful', runKey: 'order:24', name: 'mail', policy: 'at_most_once' }),
      );
    });
    expect(await beginning.answer).toEqual({ kind: 'lost' });
    expect(await database.db.jobEffect.count()).toBe(0);
  });

  test('two claims that begin one effect at once: one of them does it', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let order = 100; order < 130; order++) {
      // one business event as two runs, which only an operator or an expired key can bring about
      const ids = await Promise.all(
        [1, 2].map(async () => (await enqueue(database.db, careful, { order }, { idempotencyKey: null })).id),
      );
      await database.db.$executeRaw`
        UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', locked_until = now() + interval '1 min', claimed_at = now()
        WHERE id = ANY(${ids.map(BigInt)}::bigint[])`;
      const begin = (db: typeof left, id: string) =>
        beginEffect(db, {
          id,
          fence: 1,
          type: 'careful',
          runKey: `order:${order}`,
          name: 'mail',
          policy: 'at_most_once',
        });
      const answers = await Promise.all([begin(left, ids[0]!), begin(right, ids[1]!)]);
      expect(answers.filter((answer) => answer.kind === 'begun')).toHaveLength(1);
      // the loser has put it to a person, so the winner's ending is refused or came first: never done twice
      const winner = answers[0].kind === 'begun' ? ids[0]! : ids[1]!;
      await endEffect(
        database.db,
        { type: 'careful', runKey: `order:${order}`, name: 'mail' },
        { id: winner, fence: 1 },
        { kind: 'done', resultJson: 'null' },
      );
    }
  });

  test('one name twice at once, or a result that is not JSON, is the handler’s mistake', async () => {
    const { events } = await start(async ({ once, payload }) => {
      if ((payload as { order: number }).order === 7)
        await Promise.all([once('mail', () => {}), once('mail', () => {})]);
      else await once('mail', () => '\0');
    });
    const jobs = [await enqueue(database.db, careful, { order: 7 }), await enqueue(database.db, careful, { order: 8 })];
    await Promise.race([events.waitFor('job.dead', 2), events.waitFor('job.succeeded')]);
    for (const { id } of jobs)
      expect((await getJob(database.db, id)).job).toMatchObject({ errorCode: 'effect_misused' });
  });

  test('a database that is away while the result is written does not make the effect happen again', async () => {
    const { createPostgresStore } = await import('../store/postgres-store.js');
    const real = createPostgresStore({ db: database.db });
    let failures = 2;
    let sent = 0;
    const { events } = await start(
      async ({ once }) => {
        await once('mail', () => void sent++);
        return complete();
      },
      {
        store: {
          ...real,
          endEffect: (...given) => (failures-- > 0 ? Promise.reject(new Error('cut')) : real.endEffect(...given)),
        },
      },
    );
    const { id } = await enqueue(database.db, careful, { order: 9 });
    await Promise.race([events.waitFor('job.succeeded'), events.waitFor('job.dead')]);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(sent).toBe(1);
  });
});
