import { cancelJob, retryJob } from '@duework/queue-core';
import { pruneAudit, pruneBulkActions } from '@duework/queue-core/internals';
import { describe, expect, test } from '@jest/globals';
import { writeAudit } from '@duework/testing/fixtures';
import { startBulkAction } from '../bulk/start-bulk-action.js';
import { ANA, testCatalog, useOperated } from '../testing/use-operated.js';
import { readAudit } from './read-audit.js';

const { db, die, wait, step } = useOperated();

describe('the audit is read', () => {
  test('newest first, page by page, and entries that come meanwhile shift no page', async () => {
    const ids = await wait(5);
    for (const id of ids) await cancelJob(db(), id, ANA);
    const first = await readAudit(db(), { verb: 'cancel', limit: 2 });
    await retryJob(db(), ids[0]!, ANA);
    await cancelJob(db(), ids[0]!, ANA);
    const second = await readAudit(db(), { verb: 'cancel', limit: 2, cursor: first.nextCursor! });
    expect([...first.entries, ...second.entries].map(({ target }) => target)).toEqual(ids.toReversed().slice(0, 4));
    const last = await readAudit(db(), { verb: 'cancel', limit: 1_000, cursor: second.nextCursor! });
    expect(last.entries[0]).toMatchObject({ target: ids[0], at: expect.any(Date), via: 'api', from: '192.0.2.7' });
    expect(last.nextCursor).toBeNull();
  });

  test('by who it was, by what was changed, by the job and since a moment', async () => {
    const [one, two] = await wait(2);
    await cancelJob(db(), one!, { by: 'key:deploy' });
    await cancelJob(db(), two!, ANA);
    const targets = async (filter: Parameters<typeof readAudit>[1]) =>
      (await readAudit(db(), filter)).entries.map(({ target }) => target);
    expect(await targets({ by: 'key:deploy' })).toEqual([one]);
    expect(await targets({ kind: 'job', target: two })).toEqual([two]);
    expect(await targets({ job: two })).toEqual([two]);
    const { entries } = await readAudit(db(), { job: one });
    expect(await targets({ since: new Date(entries[0]!.at.getTime() + 60_000) })).toEqual([]);
    expect(await targets({ by: `'; DROP TABLE duework.audit_entries; --` })).toEqual([]);
  });

  test.each<[object, string]>([
    [{ limit: 0 }, 'invalid_option'],
    [{ limit: 1_001 }, 'invalid_option'],
    [{ target: '1' }, 'invalid_option'],
    [{ since: 'yesterday' }, 'invalid_option'],
    [{ by: '\u0000' }, 'invalid_option'],
    [{ job: 'x' }, 'invalid_job_id'],
    [{ cursor: '1-x' }, 'invalid_cursor'],
  ])('and %j is refused with %s', async (filter, code) => {
    await expect(readAudit(db(), filter)).rejects.toMatchObject({ code });
  });
});

test('the lists of what bulk actions have changed are only added to, and go with the audit of their time', async () => {
  await die(3);
  await startBulkAction(db(), testCatalog, { verb: 'retry', filter: '' }, ANA);
  await step();
  const refused = { message: expect.stringContaining('only ever added to') };
  await expect(db().$executeRaw`UPDATE duework.bulk_action_runs SET run_ids = '{}'`).rejects.toMatchObject(refused);
  await expect(db().$executeRaw`DELETE FROM duework.bulk_action_runs`).rejects.toMatchObject(refused);
  await expect(db().$executeRaw`TRUNCATE duework.bulk_action_runs`).rejects.toMatchObject(refused);
  expect(await pruneBulkActions(db(), 1, 10)).toBe(0);
  await db().$executeRaw`INSERT INTO duework.bulk_action_runs (bulk_action_id, first_id, last_id, run_ids, at, stage)
    VALUES (1, 1, 1, '{1}', now() - interval '401 days', 'old')`;
  expect(await pruneBulkActions(db(), 400, 10)).toBe(1);
  expect(await pruneAudit(db(), 400, 10)).toBe(0);
});

test('a verb of several statements writes its entry through its own transaction', async () => {
  const undone = db().$transaction(async (tx) => {
    await writeAudit(tx, ANA, { verb: 'pause', kind: 'queue', target: 'undone', after: { until: null } });
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  await writeAudit(db(), ANA, { verb: 'pause', kind: 'queue', target: 'mail', after: { until: null } });
  expect((await readAudit(db(), { verb: 'pause' })).entries).toMatchObject([
    { target: 'mail', before: null, after: { until: null }, by: ANA.by },
  ]);
});
