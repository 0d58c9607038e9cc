import { acknowledgeJob, cancelJob, openQueue, retryJob } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import { ANA, book, each, gatedCatalog, letter, mail, shared, useGated } from '../testing/use-gated.js';
import type { BulkRequest } from './bulk-action.js';
import { undoBulkAction } from './end-bulk-action.js';
import { getBulkAction } from './get-bulk-action.js';
import { startBulkAction } from './start-bulk-action.js';

const { db, add, look, claim, bury, heldBy, step, job } = useGated();
/** Runs an action to its end, and takes the looks that it asks for. */
const run = async (request: BulkRequest): Promise<string> => {
  const { id } = await startBulkAction(db(), gatedCatalog, request, ANA);
  await step();
  expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', refused: {} });
  await look();
  return id;
};
const undo = async (action: string): Promise<void> => {
  const { id } = await undoBulkAction(db(), action, ANA);
  await step();
  expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', refused: {} });
  await look();
};
const LATER = new Date('2999-01-01T00:00:00Z');
const SMTP = 'limit/smtp';

describe('what ends a run that was let in passes its slot on', () => {
  test('the cancellation of one', async () => {
    const [first, second] = await add(mail, [1, 2]);
    expect(await heldBy([first!, second!])).toEqual([null, SMTP]);
    await cancelJob(db(), first!);
    expect(await heldBy([first!, second!])).toEqual([undefined, null]);
  });

  test('a bulk cancellation, and its undo lets nobody in beside the one', async () => {
    const [first, second] = await add(mail, [1, 2]);
    const action = await run({ verb: 'cancel', filter: `id:${first}` });
    expect(await heldBy([first!, second!])).toEqual([undefined, null]);
    await undo(action);
    expect(await heldBy([first!, second!])).toEqual([SMTP, null]);
  });
});

describe('what changes the place of a run', () => {
  test('a later time gives its slot to the next, and the undo stands it in line again', async () => {
    const [first, second] = await add(mail, [1, 2]);
    const action = await run({ verb: 'reschedule', filter: `id:${first}`, runAt: LATER });
    expect(await heldBy([first!, second!])).toEqual([SMTP, null]);
    await undo(action);
    await cancelJob(db(), second!);
    await look();
    expect(await heldBy([first!])).toEqual([null]);
  });

  test('a run of an order that is put off does not run at its turn', async () => {
    const [first, second, third] = await add(book, [7, 7, 7]);
    await run({ verb: 'reschedule', filter: `id:${second}`, runAt: LATER });
    await cancelJob(db(), first!);
    await look();
    expect(await heldBy([second!, third!])).toEqual(['order/book.account/7', null]);
  });

  test('a higher priority brings it before the others in line', async () => {
    const [first, second, third] = await add(mail, [1, 2, 3]);
    await run({ verb: 'change_priority', filter: `id:${third}`, priority: 0 });
    await cancelJob(db(), first!);
    await look();
    expect(await heldBy([second!, third!])).toEqual([SMTP, null]);
  });

  test('another queue has it take turns there', async () => {
    const [id] = await add(shared, [7]);
    expect(await heldBy([id!])).toEqual(['tenant/default/7']);
    const action = await run({ verb: 'change_queue', filter: `id:${id}`, queue: 'elsewhere' });
    expect(await heldBy([id!])).toEqual(['tenant/elsewhere/7']);
    await db().$queryRaw`SELECT duework.take_turns('elsewhere', 5)::text`;
    expect(await heldBy([id!])).toEqual([null]);
    await emptyTables(db(), 'flow_keys, flow_turns');
    const [other] = await add(shared, [8]);
    await undo(await run({ verb: 'change_queue', filter: `id:${other}`, queue: 'elsewhere' }));
    expect(await heldBy([other!])).toEqual(['tenant/default/8']);
    expect(action).toBeDefined();
  });
});

describe('a retry', () => {
  test('of one that waits at a gate leaves it behind the gate', async () => {
    const [first, second] = await add(mail, [1, 2]);
    await retryJob(db(), second!);
    await run({ verb: 'retry', filter: 'status:queued' });
    expect(await heldBy([first!, second!])).toEqual([null, SMTP]);
  });

  test('of dead ones has them stand in line, one and many', async () => {
    const [first] = await add(mail, [1]);
    await bury(await claim());
    await add(letter, [2]);
    await retryJob(db(), first!);
    await look();
    expect(await heldBy([first!])).toEqual([SMTP]);
    await cancelJob(db(), first!);
    await run({ verb: 'retry', filter: `id:${first} status:cancelled` });
    expect(await heldBy([first!])).toEqual([SMTP]);
  });
});

describe('a dead run that blocks its order lets go of it', () => {
  const blocked = async (): Promise<[dead: string, next: string]> => {
    const [first, second] = await add(book, [7, 7]);
    await bury(await claim());
    await look();
    expect(await heldBy([second!])).toEqual(['order/book.account/7']);
    return [first!, second!];
  };

  test('when somebody acknowledges it', async () => {
    const [dead, next] = await blocked();
    await acknowledgeJob(db(), dead);
    await look();
    expect(await heldBy([next])).toEqual([null]);
  });

  test('when it is retried, and then it is the first', async () => {
    const [dead, next] = await blocked();
    await retryJob(db(), dead);
    await look();
    expect(await heldBy([dead, next])).toEqual([null, 'order/book.account/7']);
  });

  test('when it is deleted', async () => {
    const [dead, next] = await blocked();
    await run({ verb: 'delete', filter: `id:${dead} status:dead` });
    expect(await heldBy([next])).toEqual([null]);
  });

  test('when its payload is edited to another account', async () => {
    const [dead, next] = await blocked();
    await run({ verb: 'edit_payload', filter: `type:book id:${dead} status:dead`, path: ['account'], value: 8 });
    expect(await heldBy([next])).toEqual([null]);
  });
});

describe('an edited payload', () => {
  test('has the run wait at its new gates, and passes the old ones on; its undo goes back', async () => {
    const [first, second] = await add(each, [7, 7]);
    expect(await heldBy([first!, second!])).toEqual([null, 'limit/each.account/7']);
    const action = await run({ verb: 'edit_payload', filter: `type:each id:${first}`, path: ['account'], value: 8 });
    expect(await heldBy([first!, second!])).toEqual([null, null]);
    await add(each, [8]);
    await undo(action);
    expect(await heldBy([first!, second!])).toEqual(['limit/each.account/7', null]);
    expect((await job(first!)).payload).toEqual({ n: 0, account: 7 });
  });

  test('that changes no gate leaves the run where it is', async () => {
    const [first, second] = await add(each, [7, 7]);
    await run({ verb: 'edit_payload', filter: 'type:each', path: ['n'], value: 5 });
    expect(await heldBy([first!, second!])).toEqual([null, 'limit/each.account/7']);
  });
});

describe('a pause', () => {
  const pause = (until?: Date) => openQueue(db()).pauseType('mail', until === undefined ? {} : { until });

  test('of a type takes the slot of one that was let in, and gives it to another type behind the same limit', async () => {
    const [first] = await add(mail, [1]);
    const [other] = await add(letter, [2]);
    await pause();
    await look();
    expect(await heldBy([first!, other!])).toEqual(['pause/type/mail', null]);
  });

  test('of a type lets none of it in, however many are before another', async () => {
    await pause();
    const paused = await add(
      mail,
      Array.from({ length: 450 }, (_, n) => n),
    );
    const [other] = await add(letter, [1]);
    expect(await heldBy([other!])).toEqual([null]);
    expect(new Set(await heldBy(paused))).toEqual(new Set(['pause/type/mail']));
  });

  test('ends, and all stand at their gates again', async () => {
    await pause();
    const ids = await add(mail, [1, 2]);
    await openQueue(db()).resumeType('mail');
    await look();
    expect(await heldBy(ids)).toEqual([null, SMTP]);
  });

  test('that has an end is looked at then', async () => {
    await add(letter, [1]);
    const until = new Date('2999-01-01T00:00:00Z');
    await pause(until);
    expect(
      await db().$queryRaw`SELECT key FROM duework.flow_looks WHERE at = ${until.toISOString()}::text::timestamptz`,
    ).toEqual([{ key: 'pause/type/mail' }]);
  });

  test('keeps an order: nobody overtakes a run that is paused', async () => {
    const [first, second] = await add(book, [7, 7]);
    await openQueue(db()).pauseQueue('default');
    await look();
    expect(await heldBy([first!, second!])).toEqual(['pause/queue/default', 'order/book.account/7']);
    await openQueue(db()).resumeQueue('default');
    await look();
    expect(await heldBy([first!, second!])).toEqual([null, 'order/book.account/7']);
  });
});
