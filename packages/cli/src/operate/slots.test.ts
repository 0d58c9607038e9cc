import { createPostgresStore } from '@duework/queue-core';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();

beforeEach(async () => {
  await api.db.$executeRaw`DELETE FROM duework.queue_slots`;
  const load = { slots: 10, declaredSlots: 10, running: 0, buffered: 0, loopDelayMs: 0, shutBy: null };
  for (const worker of ['w1', 'w2'])
    await createPostgresStore({ db: api.db }).announceContracts({
      worker,
      queues: ['mail'],
      contracts: new Map(),
      load,
    });
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  const change = (...args: string[]) => run(where, 'workers', 'change', 'mail', ...args);

  test('the slots of the workers of a queue are changed after a preview, shown with who did it, and taken back', async () => {
    expect((await change('--slots', '20', '--preview')).out).toBe(
      '2 workers of mail: 10 → 20 slots each, 20 → 40 in all.\n',
    );
    expect((await run(where, 'workers')).out).not.toContain('--take-back');
    expect((await change('--slots', '20', '--reason', 'the sale')).out).toBe(
      '2 workers of mail: 10 → 20 slots each, 20 → 40 in all. Workers follow within seconds, and running jobs go on. ' +
        'Take it back: npx duework workers change mail --take-back\n',
    );
    expect((await run(where, 'workers', 'list')).out).toMatch(
      /^Each worker of mail runs at most 20 jobs at once, set \S+Z by \S+ \(the sale\)\. Take it back: /m,
    );
    expect((await run(where, 'audit', '--verb', 'change_slots', '--limit', '1')).out).toMatch(
      /queue mail +the sale +slots 20/,
    );
    expect((await change('--take-back')).out).toMatch(
      /^2 workers of mail: 20 → 10 slots each, 40 → 20 in all\. Workers /,
    );
    expect((await run(where, 'workers')).out).not.toContain('--take-back');
  });

  test('what a worker was given is shown beside what it runs', async () => {
    await api.db.$executeRaw`UPDATE duework.worker_contracts SET slots = 20 WHERE worker = 'w1'`;
    expect((await run(where, 'workers')).out).toMatch(/^w1 .* 0 of 20 \(10 declared\) /m);
  });

  test('more than the server has connections is told', async () => {
    expect((await change('--slots', '1000', '--preview')).out).toMatch(
      /20 → 2000 in all\.\nThe server allows \d+ connections: /,
    );
  });

  test('a queue that no live worker reads is refused unless that is meant, and so is what says nothing', async () => {
    await expect(run(where, 'workers', 'change', 'mial', '--slots', '5')).rejects.toMatchObject({
      code: 'unknown_name',
      message: expect.stringContaining('To change it anyway, add --unknown.'),
    });
    expect((await run(where, 'workers', 'change', 'mial', '--slots', '5', '--unknown')).out).toMatch(
      /^0 workers of mial: /,
    );
    for (const given of [[], ['--slots', '5', '--take-back']])
      await expect(change(...given)).rejects.toMatchObject({ code: 'invalid_option' });
    await expect(change('--slots', '0')).rejects.toThrow(/whole number from 1 to 1000/);
  });
});
