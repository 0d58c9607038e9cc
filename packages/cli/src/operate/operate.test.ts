import { defineJob } from '@duework/contracts';
import { enqueue, registerDefinitions } from '@duework/queue-core';
import { saveSchedule, due } from '@duework/schedules';
import { cleanupNightly } from '@duework/shop';
import { emptyTables } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();
const mail = defineJob({
  type: 'flow_mail',
  payload: z.object({ account: z.int() }),
  limits: [{ by: 'account', max: 1 }],
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('queues and types are paused with an end and a reason, seen in the status, and resumed', async () => {
    await run(where, 'enqueue', 'send_invoice', '{"orderId":1}');
    const paused = await run(where, 'pause', 'queue', 'default', '--for', '2h', '--reason', 'the provider is down');
    expect(paused.out).toMatch(
      /^The queue default is paused until \S+Z\. Resume it with: npx duework resume queue default\n/,
    );
    expect((await run(where, 'pause', 'type', 'send_invoice')).out).toMatch(/^The type send_invoice is paused\. /);
    const status = (await run(where, 'status')).out;
    expect(status).toMatch(/^workers +none: nothing runs$/m);
    expect(status).toMatch(
      /^Due, and no worker serves it: [1-9]\d* send_invoice \(version 1\) in the queue default\. Start a worker\.$/m,
    );
    expect(status).toMatch(/^default +send_invoice +[1-9]\d* .* queue, type$/m);
    expect(status).toMatch(/^The queue default is paused since \S+Z until \S+Z by \S+: the provider is down$/m);
    expect(JSON.parse((await run(where, 'status', '--json')).out)).toMatchObject({ pauses: [{}, {}], workers: [] });
    expect((await run(where, 'resume', 'queue', 'default')).out).toBe('The queue default goes on.\n');
    expect((await run(where, 'resume', 'queue', 'default')).out).toBe('The queue default was not paused.\n');
    expect((await run(where, 'resume', 'type', 'send_invoice')).out).toBe('The type send_invoice goes on.\n');
    await expect(run(where, 'pause', 'queue', 'a', '--for', '1h', '--until', 'today')).rejects.toMatchObject({
      code: 'two_ends',
    });
    expect((await run(where, 'audit', '--kind', 'queue', '--target', 'default', '--limit', '2')).out).toMatch(
      /resume_queue +queue default .*\n.*pause_queue +queue default +the provider is down /,
    );
    expect((await run(where, 'workers')).out).toBe('No worker is running. Start one: npx duework worker\n');
  });

  test('the rules of flow control are listed, changed after a preview, closed and opened', async () => {
    await registerDefinitions(api.db, [mail]);
    for (const account of [7, 7]) await enqueue(api.db, mail, { account });
    await api.db.$queryRaw`SELECT duework.take_looks(1000)`;
    expect((await run(where, 'flow')).out).toMatch(/^limit\/flow_mail\.account +1 at once +1 +1\+? +1 +flow_mail$/m);
    expect((await run(where, 'flow', 'show', 'limit/flow_mail.account')).out).toMatch(
      /^limit\/flow_mail\.account\/7 +1 +1 +open +\d+ \(flow_mail, since /m,
    );
    const change = ['flow', 'change', 'limit/flow_mail.account', '--max', '2'];
    expect((await run(where, ...change, '--preview')).out).toBe(
      'limit/flow_mail.account: 1 at once becomes 2 at once; 1 run, 1 wait.\n' +
        '1 would be let in at once, 0 would be over the bound until they end.\n',
    );
    expect((await run(where, ...change)).out).toMatch(
      /^limit\/flow_mail\.account is now 2 at once\. What is declared /,
    );
    expect((await run(where, 'flow', 'change', 'limit/flow_mail.account', '--take-back')).out).toBe(
      'limit/flow_mail.account is now 1 at once.\n',
    );
    await expect(run(where, ...change, '--take-back')).rejects.toMatchObject({ code: 'invalid_option' });
    expect((await run(where, 'flow', 'close', 'limit/flow_mail.account/7', '--for', '10m')).out).toMatch(
      /^limit\/flow_mail\.account\/7 is closed until 2\S+Z\. It opens before with: npx duework flow open /,
    );
    expect((await run(where, 'flow', 'open', 'limit/flow_mail.account/7')).out).toBe(
      'limit/flow_mail.account/7 is open.\n',
    );
    await emptyTables(api.db, 'job_runs, flow_keys, flow_waits, flow_looks');
  });

  test('schedules are listed, paused, resumed, triggered and deleted', async () => {
    await saveSchedule(api.db, cleanupNightly, {
      key: 'nightly',
      cron: '0 2 * * *',
      payload: { day: due.date() } as never,
    });
    expect((await run(where, 'schedules')).out).toMatch(/^nightly .*T02:00:00\+00:00 +active, api$/m);
    expect((await run(where, 'pause', 'schedule', 'nightly', '--until', '2099-01-14T02:00:00Z')).out).toMatch(
      /^The schedule nightly is paused until 2099-01-14T02:00:00Z\. /,
    );
    expect((await run(where, 'resume', 'schedule', 'nightly')).out).toMatch(
      /^The schedule nightly continues; its next due time is \d{4}-.*Z\.\n$/,
    );
    expect((await run(where, 'schedules', 'trigger', 'nightly')).out).toMatch(/^nightly runs as job \d+\.\n$/);
    expect((await run(where, 'schedules', 'delete', 'nightly', '--reason', 'gone')).out).toBe('nightly is deleted.\n');
    expect((await run(where, 'audit', '--verb', 'delete_schedule', '--limit', '1')).out).toMatch(/ gone /);
    await expect(run(where, 'pause', 'schedule', 'none')).rejects.toMatchObject({ code: 'schedule_not_found' });
  });

  test('due times say the pause that they were missed for, in the zone of their schedule, and are run as themselves', async () => {
    await saveSchedule(api.db, cleanupNightly, {
      key: `report_${where}`,
      cron: '25 8 * * *',
      timeZone: 'Europe/Berlin',
      payload: { day: due.date() } as never,
      missed: { policy: 'skip', tolerance: '1m' },
    });
    const key = `report_${where}`;
    await run(where, 'pause', 'schedule', key, '--reason', 'maintenance, forgot it');
    // two of its due times have come since it was paused
    await api.db.$executeRaw`
      UPDATE duework.schedules SET next_due_at = next_due_at - interval '2 days', tick_at = now() WHERE key = ${key}`;
    await api.db.$executeRaw`ALTER TABLE duework.audit_entries DISABLE TRIGGER audit_entries_keep`;
    await api.db.$executeRaw`UPDATE duework.audit_entries SET at = at - interval '9 days' WHERE target = ${key}`;
    await api.db.$executeRaw`ALTER TABLE duework.audit_entries ENABLE TRIGGER audit_entries_keep`;
    expect((await run(where, 'schedules', 'due-times', key)).out).toMatch(
      /^No due times since \S+T00:00:00\+0[12]:00\.\nreport_\w+ is paused since \S+\+0[12]:00 by \S+: maintenance, forgot it\. The due times /,
    );
    const resumed = (await run(where, 'resume', 'schedule', key)).out;
    const [, dueAt] =
      /\nSkipped: (\S+Z)(, \S+Z)?\.\nTo run one of them: npx duework schedules trigger report_\w+ --due-time \1\n$/.exec(
        resumed,
      )!;
    expect(resumed).toMatch(/^The schedule report_\w+ continues; its next due time is \S+Z\.\n/);
    await run('database', 'schedules', 'tick');
    const ledger = (await run(where, 'schedules', 'due-times', key, '--since', '4d')).out;
    expect(ledger).toMatch(/T08:25:00\+0[12]:00 +report_\w+ +skipped +missed, paused by \S+: maintenance, forgot it /);
    const trigger = ['schedules', 'trigger', key, '--due-time', dueAt!];
    expect((await run(where, ...trigger)).out).toMatch(/^report_\w+ runs as job \d+\.\n$/);
    expect((await run(where, ...trigger)).out).toMatch(/^That due time's key has a job already: \d+\.\n$/);
    expect((await run(where, 'schedules', 'due-times', key, '--since', '4d', '--outcome', 'fired')).out).toMatch(
      /T08:25:00\+0[12]:00 +report_\w+ +fired +triggered +\d+ +queued /,
    );
    expect((await run(where, 'schedules')).out).toMatch(/^report_\w+ .*T08:25:00\+0[12]:00 +active, api$/m);
    expect((await run(where, 'schedules', 'preview', '--schedule', key, '--count', '1')).out).toMatch(
      /^At 08:25, in Europe\/Berlin\n[^]+\nDUE +UTC\n\S+T08:25:00\+0[12]:00 /,
    );
    await run(where, 'schedules', 'delete', key);
  });

  test('a key is made and shown once, listed, and revoked', async () => {
    const name = `shop-${where}`;
    const create = [
      'keys',
      'create',
      '--name',
      name,
      '--scope',
      'enqueue',
      '--scope',
      'read',
      '--type',
      'send_invoice',
    ];
    const made = (await run(where, ...create, '--expires', '90d')).out;
    const [, text] = /^(dwk_[0-9a-z]{12}_[0-9A-Za-z]{49})\n\nThe key \S+ works until \S+Z\. /.exec(made) ?? [];
    expect(text).toBeDefined();
    const row = new RegExp(`^${name} +[0-9a-z]{12} +active .* never +enqueue:send_invoice read$`, 'm');
    const { out } = await run(where, 'keys');
    expect(out).toMatch(row);
    expect(out).not.toContain(text!.slice(-49));
    await expect(run(where, ...create)).rejects.toMatchObject({ code: 'api_key_name_taken' });
    await expect(run(where, 'keys', 'create', '--name', 'x', '--scope', 'everything')).rejects.toMatchObject({
      code: 'invalid_option',
    });
    expect((await run(where, 'keys', 'revoke', name)).out).toBe(`The key ${name} is revoked.\n`);
    expect((await run(where, 'keys', 'list', '--json')).out).toContain('"status": "revoked"');
    await expect(run(where, 'keys', 'revoke', name)).rejects.toMatchObject({ code: 'api_key_not_found' });
  });

  test('the doctor ends with exit code 3 when it finds something, and says what to do', async () => {
    await api.db.$executeRaw`CREATE INDEX mine ON duework.job_keys (run_id)`;
    const { code, out } = await run(where, 'doctor');
    await api.db.$executeRaw`DROP INDEX duework.mine`;
    expect(code).toBe(3);
    expect(out).toMatch(
      /^warning +index_unused\n {2}The index mine .*\n {2}Run: DROP INDEX CONCURRENTLY duework\.mine;$/m,
    );
    expect(out).toMatch(/^Size: the queue takes [\d.]+ MB; .* Disk: DISK_GB is not set\.\n {2}job_\w+ [\d.]+ [kM]B, /m);
  });
});

test.each(['bash', 'zsh', 'fish'])('%s can complete the commands', async (shell) => {
  const { out } = await run('api', 'completion', shell);
  for (const word of ['doctor', 'enqueue', 'wait', 'schedules', 'bulk', 'free-key', 'revoke', 'at-most'])
    expect(out).toContain(word);
});
