import { defineEvent, defineSubscriber } from '@duework/contracts';
import { publish, registerDefinitions } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();
const paid = defineEvent({ name: 'order_paid', payload: z.object({ n: z.int() }), keep: '7d' });
const receipt = defineSubscriber({ type: 'send_receipt_mail', on: paid });
const book = defineSubscriber({ type: 'book', on: paid, queue: 'ledger' });
const FROM = ['--from', '1970-01-01T00:00:00Z'];

beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, job_keys, job_definitions, published_events, worker_contracts');
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('events are listed, a new subscriber is given what is kept, and a subscription is ended', async () => {
    expect((await run(where, 'events')).out).toBe('No contract subscribes to an event.\n');
    await registerDefinitions(api.db, [receipt]);
    for (const n of [1, 2]) await publish(api.db, paid, { n });
    await registerDefinitions(api.db, [book]);
    expect((await run(where, 'events')).out).toMatch(
      /^EVENT +VERSION +KEPT SINCE +TYPE +QUEUE +WORKERS\norder_paid +1 +\S+Z +book +ledger +none\norder_paid +1 +\S+Z +send_receipt_mail +default +none\n$/,
    );
    const replay = ['events', 'replay', 'order_paid', '--to', 'book', ...FROM];
    expect((await run(where, ...replay, '--preview')).out).toBe('2 order_paid would become jobs of book.\n');
    expect((await run(where, ...replay)).out).toBe('2 order_paid have become jobs of book.\n');
    expect((await run(where, ...replay)).out).toBe('0 order_paid have become jobs of book.\n');
    expect((await run(where, 'events', 'unsubscribe', 'order_paid', 'book', '--reason', 'gone')).out).toMatch(
      /^book gets no more order_paid\./,
    );
    expect((await run(where, 'events', 'list')).out).toMatch(/ book +ledger +subscription ended\n/);
  });

  test('an event that nobody has told of, and a type that does not subscribe, are refused', async () => {
    await registerDefinitions(api.db, [receipt]);
    await expect(run(where, 'events', 'replay', 'order_payed', '--to', 'book', ...FROM)).rejects.toMatchObject({
      code: 'event_not_found',
    });
    await expect(run(where, 'events', 'unsubscribe', 'order_paid', 'book')).rejects.toMatchObject({
      code: 'not_subscribed',
    });
  });
});
