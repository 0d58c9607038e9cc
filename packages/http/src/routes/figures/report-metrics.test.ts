import { cleanupNightly, sendInvoice } from '@duework/shop';
import { connectPrisma } from '@duework/database';
import { pauseQueue, resumeQueue } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const away = useTestApi(() => ({
  db: connectPrisma({ url: 'postgres://postgres@127.0.0.1:1/nowhere', connectTimeoutMs: 500 }),
}));

test('the state of the queue is read at each scrape', async () => {
  await enqueue(api.db, sendInvoice, { orderId: 1 });
  await enqueue(api.db, sendInvoice, { orderId: 2 }, { delay: '1h' });
  const first = await api.get('/metrics');
  expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(first.text).toContain('duework_database_up 1');
  expect(first.text).toContain('duework_jobs{queue="default",type="send_invoice",state="due"} 1');
  expect(first.text).toContain('duework_jobs{queue="default",type="send_invoice",state="scheduled"} 1');
  expect(first.text).toMatch(/duework_oldest_waiting_seconds\{queue="default",type="send_invoice"\} 0\.\d+/);
  expect(first.text).toContain('duework_dead_jobs_last_hour 0');
  await enqueue(api.db, sendInvoice, { orderId: 3 });
  expect((await api.get('/metrics')).text).toContain('duework_jobs{queue="default",type="send_invoice",state="due"} 2');
});

test('what is paused does not wait, so that no alert is raised by it', async () => {
  const waits = async (): Promise<string | undefined> =>
    /duework_oldest_waiting_seconds\{queue="default",type="send_invoice"\} (\S+)/.exec(
      (await api.get('/metrics')).text,
    )?.[1];
  expect(Number(await waits())).toBeGreaterThan(0);
  await pauseQueue(api.db, 'default');
  expect(await waits()).toBe('0');
  await resumeQueue(api.db, 'default');
  expect(Number(await waits())).toBeGreaterThan(0);
});

test('due jobs that no worker can read are counted by queue, type and version', async () => {
  const { text } = await api.get('/metrics');
  expect(text).toMatch(/duework_unserved_jobs\{queue="default",type="send_invoice",version="1"\} [1-9]/);
});

test('a type without runs counts 0', async () => {
  const { text } = await api.get('/metrics');
  expect(text).toContain(`duework_jobs{queue="default",type="${cleanupNightly.type}",state="running"} 0`);
});

test('dead jobs of the last hour are counted, older ones are not', async () => {
  await api.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, failed_at, error_code, last_error, created_at, finished_at)
    SELECT 900000 + age, 'default', 'send_invoice', 1, 'dead', 5, now(), '{}', 1, 1, 1, now(), 'x', 'x', now(), now() - age * interval '40 minutes'
    FROM generate_series(0, 2) AS age`;
  expect((await api.get('/metrics')).text).toContain('duework_dead_jobs_last_hour 2');
});

test('requests are measured by the pattern of their route, whatever the ids', async () => {
  await api.get('/v1/jobs/1001');
  await api.get('/v1/jobs/1002');
  await api.get('/no/such/path');
  const { text } = await api.get('/metrics');
  expect(text).toContain(
    'duework_http_request_duration_seconds_count{method="GET",route="/v1/jobs/{id}",status="404"} 2',
  );
  expect(text).toContain('route="unmatched"');
  expect(text).not.toContain('no/such');
});

test('metrics answer while the database is away', async () => {
  await away.get('/v1/jobs/1');
  const { status, text } = await away.get('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('duework_database_up 0');
  expect(text).not.toContain('duework_jobs{');
  expect(text).toContain(
    'duework_http_request_duration_seconds_count{method="GET",route="/v1/jobs/{id}",status="503"} 1',
  );
});

test('counts that take too long say nothing about the database: duework_database_up stays 1', async () => {
  await api.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE duework.job_runs IN ACCESS EXCLUSIVE MODE`;
      const { text } = await api.get('/metrics');
      expect(text).toContain('duework_database_up 1');
      expect(text).not.toContain('duework_jobs{');
    },
    { timeout: 30_000 },
  );
});
