import { describe, expect, test } from '@jest/globals';
import { createPostgresStore, enqueue } from '@duework/queue-core';
import { sendInvoice } from '@duework/shop';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();

/** As its worker would have left it. */
async function bury(id: string): Promise<void> {
  await api.db.$executeRaw`
    UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', claimed_at = now(),
      locked_until = now() + interval '1 hour' WHERE id = ${id}::text::bigint`;
  const error = { code: 'no', type: 'Error', message: 'no', stack: null };
  await createPostgresStore({ db: api.db }).settle([{ id, fence: 1, kind: 'bury', error, abort: null }]);
}

interface Listed {
  readonly jobs: readonly { readonly id: string; readonly idempotencyKey: string }[];
}

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('a job is enqueued once, shown, explained, listed, counted, cancelled and retried', async () => {
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":812}', '--key', where, '--delay', '1h');
    const id = /^Job (\d+) is enqueued\.\n$/.exec(out)?.[1] ?? '';
    const again = await run(where, 'enqueue', 'send_invoice', '{"orderId":813}', '--key', where);
    expect(again.out).toBe(`Job ${id} has this key already, with another payload, which stays.\n`);
    expect((await run(where, 'show', id)).out).toMatch(
      /^job +\d+, send_invoice version \d+\nstatus +queued, 0 of .*\nwhy +It is not due until /,
    );
    expect((await run(where, 'explain', id)).out).toMatch(/^It is not due until .*\n/);
    expect(JSON.parse((await run(where, 'explain', id, '--json')).out)).toMatchObject({ id, code: 'not_due' });
    expect((await run(where, 'jobs', 'type:send_invoice', '-status:dead')).out).toContain(`${id}  send_invoice`);
    expect((await run(where, 'jobs', '--count', `key:${where}`)).out).toBe('1\n');
    expect((await run(where, 'cancel', id, '--reason', 'not now')).out).toBe(`Job ${id} is cancelled.\n`);
    expect((await run(where, 'show', id)).out).toMatch(/^cancelled +not now$/m);
    expect((await run(where, 'retry', id, '--reason', 'now')).out).toBe(`Job ${id} runs again.\n`);
    expect((await run(where, 'audit', '--job', id)).out).toMatch(/retry +job \d+ +now +.*status cancelled → queued/);
    await expect(run(where, 'show', '7')).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('every option at enqueue is that of the job', async () => {
    const options = ['--delay', '1h', '--priority', '3', '--max-attempts', '2', '--expires-after', '10m'];
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":9}', '--key', `all ${where}`, ...options);
    const row = await api.db.jobRun.findUniqueOrThrow({ where: { id: BigInt(/\d+/.exec(out)![0]) } });
    expect(row).toMatchObject({ priority: 3, maxAttempts: 2, idempotencyKey: `all ${where}` });
    const { expiresAt } = row.terms as { expiresAt: string };
    const seconds = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 1_000);
    expect(seconds(row.runAt, new Date(expiresAt))).toBe(600);
    expect(seconds(row.createdAt, row.runAt)).toBe(3_600);
  });

  test('a dead job is acknowledged, and its key is freed for another', async () => {
    const key = `dead ${where}`;
    const { id } = await enqueue(api.db, sendInvoice, { orderId: 5 }, { idempotencyKey: key });
    await expect(run(where, 'acknowledge', id)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    await bury(id);
    const said = await run(where, 'acknowledge', id, '--reason', 'seen');
    expect(said.out).toBe(`Job ${id} is acknowledged.\n`);
    expect((await run(where, 'audit', '--job', id)).out).toMatch(/acknowledge +job \d+ +seen/);
    expect((await run(where, 'free-key', id)).out).toBe(`The key of job ${id} is free.\n`);
    expect((await run(where, 'free-key', id)).out).toBe(`Job ${id} has no key, or another job has it.\n`);
    expect((await run(where, 'enqueue', 'send_invoice', '{"orderId":5}', '--key', key)).out).toMatch(/is enqueued/);
  });

  test('a job that has succeeded after a failure is listed and shown without that error', async () => {
    const { id } = await enqueue(api.db, sendInvoice, { orderId: 6 }, { idempotencyKey: `mended ${where}` });
    await bury(id);
    expect((await run(where, 'jobs', `key:"mended ${where}"`)).out).toMatch(/dead .* no no$/m);
    expect((await run(where, 'show', id)).out).toMatch(/^error +no no/m);
    await run(where, 'retry', id);
    await api.db.$executeRaw`
      UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = fence + 1, locked_by = 'w',
        claimed_at = now(), locked_until = now() + interval '1 hour' WHERE id = ${id}::text::bigint`;
    const { fence } = await api.db.jobRun.findUniqueOrThrow({ where: { id: BigInt(id) } });
    await createPostgresStore({ db: api.db }).settle([{ id, fence: Number(fence), kind: 'complete', result: null }]);
    expect((await run(where, 'jobs', `key:"mended ${where}"`)).out).toMatch(/succeeded.*Z$/m);
    expect((await run(where, 'show', id)).out).not.toMatch(/^error /m);
    expect((await run(where, 'show', id)).out).toMatch(/^1 +failed .* no no$/m);
  });

  test('a job that waits is changed, and one that is over is not', async () => {
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":70}', '--key', `update ${where}`);
    const id = /\d+/.exec(out)![0];
    const change = ['--payload', '{"orderId":71}', '--at', '2999-01-14T02:00:00Z', '--priority', '2'];
    expect((await run(where, 'update', id, ...change, '--max-attempts', '3', '--reason', 'wrong order')).out).toBe(
      `Job ${id} is changed.\n`,
    );
    expect(JSON.parse((await run(where, 'show', id, '--json')).out)).toMatchObject({
      job: { runAt: '2999-01-14T02:00:00.000Z', priority: 2, maxAttempts: 3 },
    });
    expect((await api.db.jobRun.findUnique({ where: { id: BigInt(id) } }))?.payload).toEqual({ orderId: 71 });
    expect((await run(where, 'audit', '--job', id)).out).toMatch(/update +job \d+ +wrong order/);
    await run(where, 'cancel', id);
    await expect(run(where, 'update', id, '--delay', '5m')).rejects.toMatchObject({ code: 'job_is_over' });
    await expect(run(where, 'update', id)).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('an argument with blanks is one text, and an option that does not exist is no filter', async () => {
    const key = `two words ${where}`;
    await run(where, 'enqueue', 'send_invoice', '{"orderId":7}', '--key', key);
    expect((await run(where, 'jobs', '--count', `key:${key}`)).out).toBe('1\n');
    expect((await run(where, 'jobs', '--count', `status:queued type:send_invoice`, `key:"${key}"`)).out).toBe('1\n');
    expect((await run(where, 'jobs', 'words of an error')).out).toBe('No job matches.\n');
    await expect(run(where, 'jobs', 'stauts:dead')).rejects.toMatchObject({ code: 'invalid_filter' });
  });

  test('a job is shown with its steps, and what its handler waits for', async () => {
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":14}', '--key', `steps ${where}`);
    const id = /\d+/.exec(out)![0];
    await api.db.$executeRaw`
      INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, wakes_at, result, done_at)
      VALUES (${id}::text::bigint, 'charge', 'done', 1, 1, 1, NULL, NULL, NULL, '{"receipt":"r-1"}', '2026-01-31T09:00Z'),
        (${id}::text::bigint, 'paid', 'waiting', 2, NULL, 1, 'signal', 'order_paid 14', '2999-01-01Z', NULL, now())`;
    await api.db.$executeRaw`
      UPDATE duework.job_runs SET run_at = '2999-01-01Z', snoozes = 1, snoozed_at = now(), fence = 1, terms = '{"suspended": 1}' WHERE id = ${id}::text::bigint`;
    const shown = (await run(where, 'show', id)).out;
    expect(shown).toMatch(/^status +waiting, 0 of .*\nwhy +Its handler waits for the signal order_paid until 2999-/m);
    expect(shown).toContain(
      '\nSTEP    STATUS   ENDED                 WHAT\n' +
        'charge  done     2026-01-31T09:00:00Z\n' +
        'paid    waiting                        waits for the signal order_paid, key 14, until 2999-01-01T00:00:00.000Z\n',
    );
    expect(JSON.parse((await run(where, 'show', id, '--json')).out)).toMatchObject({
      job: { id },
      steps: [
        // the database knows no contract of it
        { name: 'charge', result: where === 'api' ? { receipt: 'r-1' } : '[sensitive]' },
        { name: 'paid', until: '2999-01-01T00:00:00.000Z' },
      ],
      parent: null,
    });
    await run(where, 'cancel', id);
  });

  test('a job is shown with what people did to it, and the attempts before and after are told apart', async () => {
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":21}', '--key', `deeds ${where}`);
    const id = /\d+/.exec(out)![0];
    await run(where, 'cancel', id, '--reason', 'a mistake');
    await run(where, 'retry', id, '--reason', 'customer complained');
    await api.db.$executeRaw`
      INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, error_code, error_type, error_message, logs)
      SELECT ${id}::text::bigint, nr, attempt, 'send_invoice', outcome, 'w1', now(), 'boom', 'Error', 'broke',
        CASE nr WHEN 3 THEN E'+0.001s info one\\n+0.002s info two' END
      FROM (VALUES (1, 1, 'interrupted'), (2, 1, 'failed'), (3, 2, 'failed'), (4, 1, 'failed')) AS a (nr, attempt, outcome)`;
    const shown = (await run(where, 'show', id)).out;
    expect(shown).toMatch(
      /\nROUND +ATTEMPT +OUTCOME .*\n1 +1 +interrupted .*\n1 +1 +failed .*\n1 +2 +failed .*\n2 +1 +failed .* boom broke\n/,
    );
    expect(shown).toMatch(
      /\nWHEN +WHAT +BY +REASON\n\S+ +cancel +\S+ +a mistake\n\S+ +retry +\S+ +customer complained\n/,
    );
    expect(shown).toContain('\nLogs of attempt 2:\n+0.001s info one\n+0.002s info two\n');
    await run(where, 'cancel', id);
  });

  test('a job that is waited for ends with exit code 1 when it did not succeed', async () => {
    const waited = run(where, 'enqueue', 'send_invoice', '{"orderId":9}', '--key', `wait ${where}`, '--wait');
    let id: string | undefined;
    while (id === undefined) {
      const { jobs } = JSON.parse((await run(where, 'jobs', 'status:queued', '--json')).out) as Listed;
      id = jobs.find(({ idempotencyKey }) => idempotencyKey === `wait ${where}`)?.id;
    }
    await run(where, 'cancel', id);
    const { code, out } = await waited;
    expect([code, out]).toEqual([1, expect.stringMatching(/^status +cancelled/m)]);
  });

  test('a tail tells each job that comes, and each change, until it is left', async () => {
    const key = `tail ${where}`;
    const { out } = await run(where, 'enqueue', 'send_invoice', '{"orderId":1}', '--key', key, '--delay', '1h');
    const id = /\d+/.exec(out)![0];
    const tail = run(where, 'tail', `key:${key}`, '--until-ended');
    await run(where, 'cancel', id, '--reason', 'seen');
    const lines = (await tail).out.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(new RegExp(`^\\S+Z  ${id}  send_invoice  cancelled  seen$`));
  });
});
