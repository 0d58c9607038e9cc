import { describe, expect, test } from '@jest/globals';
import { saveSchedule, slot } from '@duework/schedules';
import { useTestApi } from '@duework/http/testing';
import { catalog, cleanupNightly } from '@duework/shop';
import { createProgram } from '../create-program.js';

const api = useTestApi();

/** Runs a command on the API, or on its database; the code it ends with and what it writes. */
async function run(where: 'api' | 'database', ...args: string[]): Promise<[number, string]> {
  let out = '';
  let code = 0;
  const absent = (): never => {
    throw new Error('over HTTP there is no database and no module of jobs');
  };
  const isApi = where === 'api';
  const program = createProgram({
    db: isApi ? absent : async () => api.db,
    anyDb: isApi ? absent : async () => api.db,
    api: () => ({ url: isApi ? api.url : undefined, key: undefined }),
    actor: 'command:ana@laptop',
    databaseUrl: () => undefined,
    cwd: '/',
    self: '/main.js',
    version: '0.0.0',
    exitWith: (given) => (code = given),
    onSignal: () => {},
    findJobs: isApi ? absent : () => '/jobs.js',
    loadJobs: isApi
      ? absent
      : async () => ({
          file: '/jobs.js',
          catalog,
          handlers: {},
          middleware: undefined,
          schedules: undefined,
          schedulesVersion: undefined,
        }),
    write: (text) => (out += text),
    progress: () => {},
    timeZone: 'UTC',
    now: () => new Date('2026-03-28T12:00:00Z'),
  });
  await program.parseAsync(args, { from: 'user' });
  return [code, out];
}

describe.each(['api', 'database'] as const)('the commands work on the %s', (where) => {
  test('a job is enqueued once, shown, listed, cancelled and retried', async () => {
    const [, first] = await run(where, 'enqueue', 'send_invoice', '{"orderId":812}', '--key', where, '--delay', '1h');
    const id = /^Job (\d+) is enqueued\.\n$/.exec(first)?.[1] ?? '';
    const again = await run(where, 'enqueue', 'send_invoice', '{"orderId":812}', '--key', where);
    expect(again).toEqual([0, `Job ${id} has this key already.\n`]);
    expect((await run(where, 'show', id))[1]).toMatch(/^job +\d+, send_invoice version \d+\nstatus +queued, 0 of /);
    expect((await run(where, 'jobs', 'type:send_invoice'))[1]).toContain(`${id}  send_invoice`);
    expect(await run(where, 'cancel', id, '--reason', 'not now')).toEqual([0, `Job ${id} is cancelled.\n`]);
    expect((await run(where, 'show', id))[1]).toMatch(/^cancelled not now$/m);
    expect(await run(where, 'retry', id)).toEqual([0, `Job ${id} runs again.\n`]);
    await expect(run(where, 'show', '7')).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('a job that is waited for ends with exit code 1 when it did not succeed', async () => {
    const waited = run(where, 'enqueue', 'send_invoice', '{"orderId":9}', '--key', `wait ${where}`, '--wait');
    let id: string | undefined;
    while (id === undefined) {
      const { jobs } = JSON.parse((await run(where, 'jobs', 'status:queued', '--json'))[1]) as {
        jobs: { id: string; idempotencyKey: string }[];
      };
      id = jobs.find(({ idempotencyKey }) => idempotencyKey === `wait ${where}`)?.id;
    }
    await run(where, 'cancel', id);
    const [code, out] = await waited;
    expect(code).toBe(1);
    expect(out).toMatch(/^status +cancelled/m);
  });

  test('schedules are listed, paused, resumed and deleted', async () => {
    await saveSchedule(api.db, cleanupNightly, {
      key: 'nightly',
      cron: '0 2 * * *',
      payload: { day: slot.date() } as never,
    });
    expect((await run(where, 'schedules'))[1]).toMatch(/^nightly .*T02:00:00\+00:00 +active, api$/m);
    expect(await run(where, 'pause', 'nightly')).toEqual([0, 'nightly is paused.\n']);
    expect((await run(where, 'resume', 'nightly'))[1]).toMatch(/^nightly goes on; its next slot is \d{4}-.*Z\.\n$/);
    expect(await run(where, 'delete', 'nightly')).toEqual([0, 'nightly is deleted.\n']);
  });

  test('the doctor ends with exit code 1 when it finds something, and says what to do', async () => {
    await api.db.$executeRaw`CREATE INDEX mine ON duework.job_keys (run_id)`;
    const [code, out] = await run(where, 'doctor');
    await api.db.$executeRaw`DROP INDEX duework.mine`;
    expect(code).toBe(1);
    expect(out).toMatch(
      /^warning +index_unused\n {2}The index mine .*\n {2}Run: DROP INDEX CONCURRENTLY duework\.mine;$/m,
    );
    const report = JSON.parse((await run(where, 'doctor', '--json'))[1]) as { findings: { code: string }[] };
    // the server of the tests is fast and not durable, and may be an old one
    const ofServer = ['durability_off', 'server_version_ended'];
    expect(report.findings.filter((finding) => !ofServer.includes(finding.code))).toEqual([]);
  });
});

test.each(['bash', 'zsh', 'fish'])('%s can complete the commands', async (shell) => {
  const [, script] = await run('api', 'completion', shell);
  for (const word of ['doctor', 'enqueue', 'wait', 'schedules']) expect(script).toContain(word);
});
