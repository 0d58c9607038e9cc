import { createPostgresStore, type ClaimedRun } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import { closeKey } from '../flow/close-key.js';
import { pauseType } from '../pauses/pause-type.js';
import { book, call, each, fragile, letter, mail, narrow, shared, useGated } from '../testing/use-gated.js';
import { explainJob } from './explain-job.js';
import { hideOthers } from './hide-others.js';

const { db, add, claim, bury, look } = useGated();
const explain = (id: string) => explainJob(db(), id);
const fail = (runs: readonly ClaimedRun[], delayMs: number) =>
  createPostgresStore({ db: db() }).settle(
    runs.map(({ id, fence, gates }) => ({
      ...{ id, fence, gates: gates!, kind: 'fail' as const, delayMs, abort: null },
      error: { code: 'boom', type: 'Error', message: 'boom', stack: null },
    })),
  );

describe('explain of a run that waits at a gate', () => {
  test('behind: one that was let in and waits for a slot says so, and who waits for it says that of it', async () => {
    const [first, second] = await add(each, [7, 7]);
    await db().$executeRaw`
      INSERT INTO duework.worker_contracts (worker, queues, contracts, seen_at)
      VALUES ('busy', '{default}', '{"each": [1, 1]}', now())`;
    expect(await explain(first!)).toMatchObject({
      code: 'behind',
      facts: { letInBy: ['limit/each.account'], ahead: 0 },
      sentence: expect.stringMatching(
        /^It was let in at limit\/each\.account, and waits for a free slot of a worker\. It is due, and the next in /,
      ),
    });
    expect((await explain(second!)).sentence).toMatch(
      /; the next slot frees when job \d+ \(each, let in 2\S+Z, waits for a free slot of a worker\) ends\.$/,
    );
    await emptyTables(db(), 'worker_contracts');
  });

  test('held_by_limit: behind how many, and with which run the next slot frees', async () => {
    const ids = await add(each, [7, 7, 7, 7]);
    await claim();
    expect(await explain(ids[3]!)).toMatchObject({
      code: 'held_by_limit',
      facts: {
        key: 'limit/each.account/7',
        ahead: 2,
        isAtLeast: false,
        max: 1,
        used: 1,
        holder: { id: ids[0], type: 'each', status: 'running', since: expect.any(Date), lockedUntil: expect.any(Date) },
      },
      sentence: expect.stringMatching(
        /^It waits behind 2 others at limit\/each\.account\/7, which lets 1 in at once; the next slot frees when job \d+ \(each, running since 2\S+Z, lease until 2\S+Z\) ends\.$/,
      ),
      further: [{ code: 'no_worker' }],
    });
  });

  test('held_by_rate: in how long the next unit is there', async () => {
    const ids = await add(call, [1, 2]);
    expect(await explain(ids[1]!)).toMatchObject({
      code: 'held_by_rate',
      facts: { key: 'rate/call', ahead: 0, max: 1, perMs: 3_600_000, nextAt: expect.any(Date) },
      sentence: 'It waits at rate/call, which lets 1 in every 3600 s: the next unit is there in 60 minutes.',
    });
    const [, third] = await add(call, [3, 4]);
    expect(await explain(third!)).toMatchObject({
      facts: { ahead: 2 },
      sentence:
        'It waits behind 2 others at rate/call, which lets 1 in every 3600 s: the next unit is there in 60 minutes, and its own in about 3 hours.',
    });
  });

  test('held_by_order: which run is before it, and what becomes of it when that fails or is dead', async () => {
    const ids = await add(book, [7, 7, 7]);
    const runs = await claim();
    expect(await explain(ids[2]!)).toMatchObject({
      code: 'held_by_order',
      facts: { key: 'order/book.account/7', ahead: 1, head: { id: ids[0] }, onFailure: 'wait', onDead: 'block' },
      sentence: expect.stringMatching(
        /^It waits behind 1 other at order\/book\.account\/7, until job \d+ \(book, running since .* ends; its retries are waited for, and if it is dead it blocks until somebody retries or acknowledges it\.$/,
      ),
    });
    await fail(runs, 3_600_000);
    expect(await explain(ids[1]!)).toMatchObject({
      code: 'held_by_order',
      facts: { head: { id: ids[0], status: 'failed', lockedUntil: null } },
      sentence: expect.stringContaining('which failed, and is tried again at 2'),
    });
  });

  test('held_by_order: at which gate the one before it waits itself', async () => {
    await closeKey(db(), 'limit/narrow', '1h');
    const ids = await add(narrow, [7, 7]);
    expect(await explain(ids[1]!)).toMatchObject({
      code: 'held_by_order',
      facts: { head: { id: ids[0], heldBy: 'limit/narrow' } },
      sentence: expect.stringContaining(`until job ${ids[0]} (narrow, which waits itself at limit/narrow) ends;`),
    });
  });

  test('held_by_order: that a dead run blocks it', async () => {
    const ids = await add(book, [7, 7]);
    await bury(await claim());
    expect(await explain(ids[1]!)).toMatchObject({
      code: 'held_by_order',
      facts: { ahead: 0, head: { id: ids[0], status: 'dead' } },
      sentence: expect.stringMatching(
        /which job \d+ keeps shut: it has been dead since .* retries or acknowledges it\.$/,
      ),
    });
  });

  test('held_by_tenant: how many tenants have their turn before', async () => {
    await add(shared, [1]);
    await add(shared, [2]);
    const ids = await add(shared, [3, 3]);
    expect(await explain(ids[1]!)).toMatchObject({
      code: 'held_by_tenant',
      facts: { key: 'tenant/default/3', ahead: 1, turnsBefore: 2 },
      sentence: 'It waits behind 1 other for the turn of tenant/default/3: 2 other tenants have their turns before it.',
    });
  });

  test('held_by_breaker: until when it is open', async () => {
    const ids = await add(fragile, [1, 2]);
    await fail(await claim(), 0);
    expect(await explain(ids[0]!)).toMatchObject({
      code: 'held_by_breaker',
      facts: { key: 'breaker/fragile', state: 'open', until: expect.any(Date), trying: null },
      sentence: expect.stringMatching(/^It waits at breaker\/fragile, which is open until 2\S+Z, because /),
    });
  });

  test('held_by_breaker: which run is the try', async () => {
    const ids = await add(fragile, [1, 2, 3]);
    await fail(await claim(), 0);
    await db().$executeRaw`UPDATE duework.flow_keys SET closed_until = now() WHERE key = 'breaker/fragile'`;
    await db().$executeRaw`INSERT INTO duework.flow_looks (at, key) VALUES (now(), 'breaker/fragile')`;
    await look();
    const [tried] = await claim();
    const waiting = ids.find((id) => id !== tried!.id);
    expect(await explain(waiting!)).toMatchObject({
      code: 'held_by_breaker',
      facts: { state: 'trying', trying: { id: tried!.id, status: 'running' } },
      sentence: expect.stringContaining(
        `which tries one run at a time, now job ${tried!.id} (fragile, running since 2`,
      ),
    });
  });

  test('gate_closed: until when, by whom, and why', async () => {
    for (const [key, contract] of [
      ['limit/each.account/7', each],
      ['breaker/fragile', fragile],
    ] as const) {
      await closeKey(db(), key, '1h', { by: 'person:ana', reason: 'they call us' });
      const [id] = await add(contract, [7]);
      expect(await explain(id!)).toMatchObject({
        code: 'gate_closed',
        facts: { key, ahead: 0, until: expect.any(Date), source: 'operator', by: 'person:ana', reason: 'they call us' },
        sentence: expect.stringMatching(
          new RegExp(`^It waits at ${key}, which person:ana has closed until 2\\S+Z \\(they call us\\)\\.$`),
        ),
      });
    }
  });

  test('gate_closed: that a provider has asked for it', async () => {
    const [first, second] = await add(call, [1, 2]);
    const [{ id, fence, gates }] = (await claim()) as [ClaimedRun];
    expect(id).toBe(first);
    await createPostgresStore({ db: db() }).settle([
      { id, fence, gates: gates!, kind: 'snooze', delayMs: 60_000, shutMs: 60_000, maxSnoozes: 10 },
    ]);
    expect(await explain(second!)).toMatchObject({
      code: 'gate_closed',
      facts: { key: 'rate/call', source: 'provider', by: null, reason: null },
      sentence: expect.stringMatching(
        /^It waits at rate\/call, which is closed until 2\S+Z, because a handler was told/,
      ),
    });
  });

  test('paused: what is held back at a gate by a pause', async () => {
    await pauseType(db(), 'each', { by: 'person:ana', reason: 'the audit' });
    const [id] = await add(each, [7]);
    expect(await explain(id!)).toMatchObject({
      code: 'paused',
      facts: { kind: 'type', name: 'each', by: 'person:ana', reason: 'the audit' },
      sentence: expect.stringMatching(/^The type each is paused by person:ana since 2\S+Z \(the audit\)\.$/),
    });
  });

  test('of a job of another type, who may not see it is told since when it holds the gate alone', async () => {
    const [first] = await add(mail, [1]);
    const [second] = await add(letter, [1]);
    const explained = await explain(second!);
    expect(explained).toMatchObject({ facts: { holder: { id: first, type: 'mail' } } });
    const hidden = await hideOthers(db(), explained, ['letter']);
    expect(hidden).toMatchObject({
      code: 'held_by_limit',
      facts: { holder: { id: null, type: null, since: expect.any(Date) } },
      sentence: expect.stringMatching(
        /; the next slot frees when another job \(let in 2\S+Z, waits for a free slot of a worker\) ends\.$/,
      ),
    });
    expect(JSON.stringify(hidden)).not.toMatch(new RegExp(`mail|${first}`));
    expect(await hideOthers(db(), explained, ['letter', 'mail'])).toEqual(explained);
  });
});
