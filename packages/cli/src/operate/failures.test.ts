import { beforeAll, describe, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();

beforeAll(async () => {
  await api.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT n, 'default', CASE WHEN n < 3 THEN 'send_invoice' ELSE 'type_' || n END, 1, 'dead', 5, now(), '{}', 1, 1, 1, 'w1', now(),
      now(), 'unexpected_error', 'TypeError', 'no address of order''s ' || n, now(), now() - interval '5 minutes'
    FROM generate_series(1, 13) AS n`;
  await api.db.$executeRaw`
    INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message, error_stack)
    VALUES (true, 2, 1, 1, 'send_invoice', 'failed', 'w1', now() - interval '80 minutes', now() - interval '75 minutes', 'unexpected_error', 'TypeError', 'no address of order''s 2', NULL),
      (true, 2, 2, 2, 'send_invoice', 'failed', 'w1', now(), now() - interval '7 minutes', 'unexpected_error', 'TypeError', 'no address of order''s 2',
        E'TypeError: no address\n    at send (file:///srv/app/send-invoice.ts:3:4)')`;
  await api.db.$executeRaw`
    INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts, code_version)
    VALUES ('w1', '2026-01-01T00:00:00Z', now(), '{}', '{}', 'v7')`;
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('failures are told by error: how many, since when, with which version, where, and how to go on', async () => {
    const { out } = await run(where, 'failures', '--type', 'send_invoice', '--range', '1h');
    expect(out.split('\n')).toEqual([
      'send_invoice: 2 dead',
      "error  unexpected_error TypeError: no address of order's …",
      expect.stringMatching(/^began {2}\S+Z with version v7 \(started 2026-01-01T00:00:00Z\), on w1, and before \S+Z$/),
      expect.stringMatching(/^last {3}\S+Z$/),
      'place  send (send-invoice.ts:3:4)',
      'stack  npx duework show 2',
      expect.stringMatching(
        /^jobs {3}npx duework jobs 'status:dead,failed type:send_invoice .*order'\\''s.* since:\S+Z'$/,
      ),
      '',
    ]);
  });

  test('the stack of the last attempt is shown with its job, with the name of the error', async () => {
    const { out } = await run(where, 'show', '2');
    expect(out).toMatch(/^error +unexpected_error TypeError: no address of order's 2$/m);
    expect(out).toMatch(/\nStack of attempt 2:\nTypeError: no address\n {4}at send \(file:\S+ts:3:4\)\n$/);
  });

  test('ten errors are shown, and how to see the others; or that there is none', async () => {
    expect((await run(where, 'failures')).out).toMatch(/\n… and 2 more: --all\n$/);
    expect((await run(where, 'failures', '--all')).out).toContain('type_13: 1 dead');
    expect(JSON.parse((await run(where, 'failures', '--json')).out).groups).toHaveLength(12);
    expect((await run(where, 'failures', '--type', 'other')).out).toBe('No job died or waits for a retry.\n');
  });
});
