import { enqueueMany, jobRequest } from '@duework/queue-core';
import { sendInvoice } from '@duework/shop';
import { describe, expect, test } from '@jest/globals';
import { type Place, useProgram } from '../testing/use-program.js';

const { api, run, runWith } = useProgram();

let orders = 0;
async function enqueue(count: number): Promise<string> {
  const from = (orders += 1_000);
  await enqueueMany(
    api.db,
    Array.from({ length: count }, (_, n) => jobRequest(sendInvoice, { orderId: from + n }, { delay: '1h' })),
  );
  return `payload.orderId:${Array.from({ length: count }, (_, n) => from + n).join(',')}`;
}

const statuses = async (where: Place, filter: string): Promise<Record<string, number>> => {
  const { jobs } = JSON.parse((await run(where, 'jobs', filter, '--json')).out) as { jobs: { status: string }[] };
  const counts: Record<string, number> = {};
  for (const { status } of jobs) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe.each(['api', 'database'] as const)('on the %s many jobs', (where) => {
  test('are previewed, and nothing is done without a yes', async () => {
    const filter = await enqueue(12);
    const dry = await run(where, 'bulk', 'cancel', filter, '--dry-run');
    expect(dry.out).toMatch(/^12 jobs would be changed, of those that are queued, .*\n\nJOB +TYPE +QUEUE /);
    await expect(run(where, 'bulk', 'cancel', filter)).rejects.toMatchObject({ code: 'confirmation_needed' });
    const asked: string[] = [];
    const confirm = async (question: string): Promise<boolean> => (asked.push(question), false);
    await expect(runWith({ confirm }, where, 'bulk', 'cancel', filter)).rejects.toMatchObject({
      code: 'not_confirmed',
    });
    expect(asked).toEqual(['cancel: 12 jobs?']);
    expect(await statuses(where, filter)).toEqual({ queued: 12 });
    await expect(run(where, 'bulk', 'retry', filter)).rejects.toMatchObject({ code: 'nothing_fits' });
  });

  test('are acted on after a yes with their progress, shown, listed and undone', async () => {
    const filter = await enqueue(5);
    const confirm = async (): Promise<boolean> => true;
    const done = await runWith({ confirm }, where, 'bulk', 'cancel', filter, '--reason', 'a trial');
    const [, id] = /^bulk action +(\d+), cancel\nstatus +finished, 5 of 5 changed\n/.exec(done.out) ?? [];
    expect(done).toMatchObject({ code: 0, told: expect.stringContaining('5 of 5 changed') });
    expect(await statuses(where, filter)).toEqual({ cancelled: 5 });
    expect((await run(where, 'bulk', 'list')).out).toMatch(
      new RegExp(`^${id} +cancel +finished +5 of 5 changed `, 'm'),
    );
    const shown = (await run(where, 'bulk', 'show', id!)).out;
    expect(shown).toMatch(/^reason +a trial$/m);
    expect(shown).toMatch(new RegExp(`^jobs now +5 cancelled: npx duework jobs bulk:${id}$`, 'm'));
    expect(await statuses(where, `bulk:${id}`)).toEqual({ cancelled: 5 });
    await expect(run(where, 'bulk', 'abort', id!)).rejects.toMatchObject({ code: 'bulk_action_over' });
    const undo = await run(where, 'bulk', 'undo', id!, '--json');
    expect(JSON.parse(undo.out)).toMatchObject({ undoOf: id, status: 'finished', done: 5 });
    expect(await statuses(where, filter)).toEqual({ queued: 5 });
  });

  test('go on after Ctrl-C, which says how to end it', async () => {
    const filter = await enqueue(30);
    let leave = (): void => {};
    const left = await runWith(
      { onSignal: (listen) => (leave = listen), progress: () => leave() },
      where,
      ...['bulk', 'change-priority', filter, '--to', '9', '--per-second', '1', '--yes', '--json'],
    );
    const { id, status } = JSON.parse(left.out) as { id: string; status: string };
    expect([left.code, status]).toEqual([130, 'running']);
    expect((await run(where, 'bulk', 'abort', id, '--reason', 'enough')).out).toMatch(/^status +aborted, /m);
  });

  test('have their payloads edited as their contract allows, and are rescheduled and moved', async () => {
    const filter = `type:send_invoice ${await enqueue(3)}`;
    const edit = ['bulk', 'edit-payload', filter, '--field', 'orderId'];
    await expect(run(where, ...edit, '--value', 'x', '--yes')).rejects.toMatchObject({ code: 'value_not_json' });
    await expect(run(where, ...edit, '--yes')).rejects.toMatchObject({ code: 'no_value' });
    const wrong = await run(where, ...edit, '--value', '"x"', '--yes');
    expect(wrong.out).toMatch(/^refused +3 invalid_payload$/m);
    const moved = await run(where, 'bulk', 'reschedule', filter, '--delay', '2h', '--spread', '1h', '--yes');
    expect(moved.out).toMatch(/^status +finished, 3 of 3 changed$/m);
    const queue = await run(where, 'bulk', 'change-queue', filter, '--to', 'slow', '--yes');
    expect(queue.out).toMatch(/^status +finished, 3 of 3 changed$/m);
    await expect(run(where, 'bulk', 'cancel', filter, '--at-most', '2', '--yes')).rejects.toMatchObject({
      code: 'bulk_action_refused',
    });
  });
});
