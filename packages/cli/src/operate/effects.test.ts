import { createPostgresStore } from '@duework/queue-core';
import { catalog } from '@duework/shop';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();

beforeAll(async () => {
  await createPostgresStore({ db: api.db }).prepare(catalog);
  await api.db.$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, started_at, done_at, undone)
    VALUES ('send_invoice', 'invoice:1', 'mail', 'done', 1, 1, '2026-01-31T09:00:00Z', now(), 0),
      ('send_invoice', 'invoice:2', 'mail', 'done', 2, 1, '2026-01-31T09:01:00Z', now(), 1),
      ('send_invoice', 'invoice:3', 'mail', 'unknown', 3, 1, '2026-01-31T10:00:00Z', NULL, 0)`;
  await api.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      created_at, finished_at)
    VALUES (9, 'default', 'send_receipt', 1, 'succeeded', 5, now(), '{}', 2, 5, 2, 'w1', now(), now(), now())`;
  await api.db.$executeRaw`
    INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code)
    VALUES (true, 9, 1, 1, 'send_receipt', 'failed', 'w1', now(), '2026-01-31T09:00:00Z', 'boom')`;
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  const check = (type: string, ...more: string[]) => run(where, 'effects', 'check', '--type', type, ...more);

  test('a proof ends with 0 and says so, with the tries that certainly did not happen', async () => {
    const { out, code } = await check('send_invoice', '--since', '2026-01-31', '--until', '2026-01-31T10:00:00Z');
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing of send_invoice was done twice from .*: 2 jobs, 2 effects done once; 1 with a try /);
    expect(out).toMatch(
      /\n1 with a try that certainly did not happen:\n.*\n2 +mail +2026-01-31T09:01:00Z +send_invoice:invoice:2:mail\n/,
    );
  });

  test('a doubt ends with 3, and names what to look for', async () => {
    const { out, code } = await check('send_invoice', '--since', '2026-01-31');
    expect(code).toBe(3);
    expect(out).toMatch(/^It is not proven that nothing of send_invoice was done twice/);
    expect(out).toMatch(
      /\n1 may have happened: look .*\n.*\n3 +mail +2026-01-31T10:00:00Z +send_invoice:invoice:3:mail\n/,
    );
  });

  test('a job without a recorded effect is named with its attempts', async () => {
    const { out, code } = await check('send_receipt', '--since', '2026-01-31');
    expect(code).toBe(3);
    expect(out).toMatch(/\n9 +succeeded +1 boom 2026-01-31T09:00:00Z on w1\n$/);
    expect(JSON.parse((await check('send_receipt', '--since', '2026-01-31', '--json')).out)).toMatchObject({
      isProven: false,
      unrecordedJobs: [{ jobId: '9', attempts: [{ errorCode: 'boom' }] }],
    });
  });
});
