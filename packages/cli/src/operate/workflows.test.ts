import { beforeAll, describe, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();

beforeAll(async () => {
  await api.db.$executeRaw`
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT n, 'default', 'ship_order', 1, 5, now() + interval '1 day', '{}', 9 FROM generate_series(1, 3) AS n`;
  await api.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, at, job_type, status, asked_seq, done_seq, fence, awaits, awaited, began_at, done_at)
    SELECT n, s.name, s.at, 'ship_order', s.status, 1, s.seq, 1, s.awaits, s.awaited, '2026-01-01T00:00:00Z', '2026-01-01T00:00:02Z'
    FROM generate_series(1, 3) AS n
    CROSS JOIN (VALUES ('reserve', NULL, 'done', 1, NULL, NULL), ('pay', 'pay', 'waiting', NULL, 'signal', 'paid 7'))
      AS s (name, at, status, seq, awaits, awaited)`;
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('workflows say at which steps jobs are, how many, since when, how to see them, and what is slow', async () => {
    const { out } = await run(where, 'workflows', '--type', 'ship_order');
    expect(out.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'TYPE | STEP | JOBS | SINCE | SEE THEM',
      "ship_order | pay (signal paid) | 3 | 2026-01-01T00:00:00Z | duework jobs 'type:ship_order at:pay'",
      '',
      'TYPE | SLOW STEP | MEDIAN | P95 | OF',
      'ship_order | reserve | 2.0 s | 2.0 s | 3',
      '',
    ]);
    expect((await run(where, 'jobs', 'type:ship_order at:pay', '--count')).out).toMatch(/^3/);
    expect(JSON.parse((await run(where, 'workflows', '--json')).out)).toMatchObject({ isComplete: true });
    expect((await run(where, 'workflows', '--type', 'other')).out).toBe('No durable job waits or runs.\n');
  });
});
