import { expect, test } from '@jest/globals';
import { enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { claim, echo, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { extendLeases } from './extend-leases.js';

const database = useTestDatabase();

test('a run that somebody has locked does not keep the other leases waiting, and is not lost', async () => {
  await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
  const [locked, free] = await claim(database.db, 2);
  const due = [locked!, free!].map(({ id, fence }) => ({ id, fence, leaseMs: 60_000, renew: 'now' as const }));
  const other = database.connect({ poolSize: 1 });
  const beside = await database.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${BigInt(locked!.id)} FOR UPDATE`;
    return untilItWaits(database.db, other, (client) => extendLeases(client, due));
  });
  expect(beside.isWaiting).toBe(false);
  expect(new Map((await beside.answer).map((held) => [held.id, held.isExtended]))).toEqual(
    new Map([
      [locked!.id, false],
      [free!.id, true],
    ]),
  );
  expect((await extendLeases(other, due)).map((held) => held.isExtended)).toEqual([true, true]);
});
