import { defineEvent, defineSubscriber } from '@duework/contracts';
import {
  cancelJob,
  createPostgresStore,
  enqueueBatch,
  enqueueMany,
  jobRequest,
  publish,
  registerDefinitions,
} from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { createKey, pauseQueue, pauseType, SCOPES, startBulkAction, stepBulkActions } from '@duework/operate';
import { pauseSchedule, saveSchedule } from '@duework/schedules';
import { catalog, cleanupNightly, sendInvoice } from '@duework/shop';
import { Prisma } from '@duework/database';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import type { Route } from '../../api.js';
import { createRoutes } from '../../create-routes.js';
import { ask, useTestApi, type Answer } from '../../testing/use-test-api.js';

let routes: readonly Route[] = [];
const api = useTestApi((parts) => {
  routes = createRoutes(parts, () => ({}));
  return { authorize: authorizeByKey(parts.db) };
});
let headers: Record<string, string> = {};
beforeAll(async () => {
  const { text } = await createKey(api.db, { name: 'ops', scopes: SCOPES });
  headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
});
beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, job_history, job_keys, schedules, pauses');
  await api.db.$executeRaw`DELETE FROM duework.bulk_actions`;
});

const WHY = 'the provider is back';
const enqueue = async (): Promise<string> =>
  (await enqueueMany(api.db, [jobRequest(sendInvoice, { orderId: 1 })]))[0]!.id;
const batch = async (): Promise<string> =>
  (await enqueueBatch(api.db, { jobs: [jobRequest(sendInvoice, { orderId: 1 })] })).id;
const cancelled = async (): Promise<string> => {
  const id = await enqueue();
  await cancelJob(api.db, id);
  return id;
};
const dead = async (): Promise<string> => {
  const id = await enqueue();
  const contracts = new Map([[sendInvoice.type, sendInvoice]]);
  const { runs } = await claimRuns(api.db, { queue: 'default', contracts, worker: 'w', limit: 1 });
  const error = { code: 'boom', type: 'Error', message: 'broke', stack: null };
  await createPostgresStore({ db: api.db }).settle([{ id, fence: runs[0]!.fence, kind: 'bury', error, abort: null }]);
  return id;
};
/** For a decision, and for a time. */
const waiting = async (): Promise<string> => {
  const id = await enqueue();
  const question = JSON.stringify({ title: 'Refund?', details: {}, choices: ['approve', 'reject'], by: null });
  await api.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, wakes_at, result)
    VALUES (${id}::text::bigint, 'ok: question', 'done', 1, 1, 1, NULL, NULL, NULL, ${question}::text::jsonb),
      (${id}::text::bigint, 'ok', 'waiting', 2, NULL, 1, 'signal', 'duework.approval ["1","ok"]', NULL, NULL),
      (${id}::text::bigint, 'pause', 'waiting', 3, NULL, 1, NULL, NULL, '2099-01-01Z', NULL)`;
  return id;
};
const schedule = async (): Promise<string> => {
  const rule = { key: 'nightly', cron: '0 3 * * *', payload: { day: { $due: 'date' } } } as const;
  return (await saveSchedule(api.db, cleanupNightly, rule as never)).key;
};
const paused = async (): Promise<string> => {
  const key = await schedule();
  await pauseSchedule(api.db, key);
  return key;
};
const key = async (): Promise<string> => {
  await api.db.apiKey.deleteMany({ where: { name: 'deploy' } });
  return (await createKey(api.db, { name: 'deploy', scopes: ['read'] })).key.id;
};
const noKey = async (): Promise<string> => {
  await api.db.apiKey.deleteMany({ where: { name: 'deploy' } });
  return '';
};
const RETRY = { verb: 'retry', filter: 'status:cancelled' } as const;
const begun = async (): Promise<string> => {
  await cancelled();
  return (await startBulkAction(api.db, catalog, RETRY)).id;
};
const finished = async (): Promise<string> => {
  const id = await begun();
  await stepBulkActions(api.db, catalog, new AbortController().signal);
  return id;
};
/** An event that is kept, and that its subscriber has not had. */
const event = async (): Promise<string> => {
  await emptyTables(api.db, 'published_events, job_definitions');
  const paid = defineEvent({ name: 'order_paid', payload: z.object({}), keep: '7d' });
  await publish(api.db, paid, {});
  await registerDefinitions(api.db, [defineSubscriber({ type: 'send_receipt', on: paid })]);
  return 'order_paid';
};
/** A limit that nobody has changed. */
const rule = async (): Promise<string> => {
  await api.db.$executeRaw`DELETE FROM duework.flow_rules WHERE name = 'limit/mail'`;
  await api.db.$executeRaw`INSERT INTO duework.flow_rules (name, declared) VALUES ('limit/mail', '{"max": 5}')`;
  return 'limit/mail';
};
const raised = (target: string) => async (): Promise<string> => {
  await emptyTables(api.db, 'job_alerts, alert_silences');
  await api.db.$executeRaw`
    INSERT INTO duework.job_alerts (name, subject, raised_at, facts) VALUES ('horizon_pinned', 'session 7', now(), '{}')`;
  return target;
};
const named = (name: string, act: (db: typeof api.db, name: string) => Promise<unknown> = async () => {}) => {
  return async (): Promise<string> => (await act(api.db, name), name);
};

interface Change {
  /** Brings things into the state that the verb is for; returns what stands in the path. */
  readonly prepare: () => Promise<string>;
  readonly verb: string;
  readonly kind: string;
  readonly body?: object;
  /** The reason is in the query, because the body is something else. */
  readonly isReasonInQuery?: true;
}

/** Every route that changes something for who operates: how it is tried, and what its entry says. */
const CHANGES: Readonly<Record<string, Change>> = {
  'patch /v1/jobs/{id}': { prepare: enqueue, verb: 'update', kind: 'job', body: { priority: 1 } },
  'post /v1/jobs/{id}/retry': { prepare: cancelled, verb: 'retry', kind: 'job' },
  'post /v1/jobs/{id}/cancel': { prepare: enqueue, verb: 'cancel', kind: 'job' },
  'post /v1/jobs/{id}/acknowledge': { prepare: dead, verb: 'acknowledge', kind: 'job' },
  'post /v1/jobs/{id}/approve': {
    prepare: waiting,
    verb: 'approve',
    kind: 'job',
    body: { name: 'ok', choice: 'approve' },
  },
  'post /v1/jobs/{id}/change-wait': {
    prepare: waiting,
    verb: 'skip_wait',
    kind: 'job',
    body: { name: 'pause', verb: 'skip' },
  },
  'post /v1/jobs/{id}/free-key': { prepare: cancelled, verb: 'free_key', kind: 'job' },
  'post /v1/batches/{id}/cancel': { prepare: batch, verb: 'cancel', kind: 'batch' },
  'put /v1/schedules/{key}': {
    prepare: named('nightly'),
    verb: 'save_schedule',
    kind: 'schedule',
    body: { type: 'cleanup_nightly', cron: '0 4 * * *', payload: { day: { $due: 'date' } } },
    isReasonInQuery: true,
  },
  'delete /v1/schedules/{key}': {
    prepare: schedule,
    verb: 'delete_schedule',
    kind: 'schedule',
    isReasonInQuery: true,
  },
  'post /v1/schedules/{key}/pause': { prepare: schedule, verb: 'pause_schedule', kind: 'schedule' },
  'post /v1/schedules/{key}/resume': { prepare: paused, verb: 'resume_schedule', kind: 'schedule' },
  'post /v1/schedules/{key}/trigger': { prepare: schedule, verb: 'trigger_schedule', kind: 'schedule' },
  'post /v1/queues/{queue}/pause': { prepare: named('mail'), verb: 'pause_queue', kind: 'queue' },
  'post /v1/queues/{queue}/resume': { prepare: named('mail', pauseQueue), verb: 'resume_queue', kind: 'queue' },
  'post /v1/types/{type}/pause': { prepare: named('send_invoice'), verb: 'pause_type', kind: 'type' },
  'post /v1/types/{type}/resume': { prepare: named('send_invoice', pauseType), verb: 'resume_type', kind: 'type' },
  'patch /v1/queues/{queue}/slots': {
    prepare: async () => {
      await api.db.$executeRaw`DELETE FROM duework.queue_slots`;
      return 'mail';
    },
    verb: 'change_slots',
    kind: 'queue',
    body: { slots: 20 },
  },
  'post /v1/published-events/{event}/replay': {
    prepare: event,
    verb: 'replay_events',
    kind: 'event',
    body: { to: 'send_receipt', from: '2026-01-01T00:00:00Z' },
  },
  'post /v1/published-events/{event}/unsubscribe': {
    prepare: event,
    verb: 'unsubscribe',
    kind: 'event',
    body: { type: 'send_receipt' },
  },
  'patch /v1/flow/{kind}/{name}': {
    prepare: rule,
    verb: 'change_flow_rule',
    kind: 'flow_rule',
    body: { change: { max: 2 } },
  },
  'post /v1/flow/{kind}/{name}/close': {
    prepare: rule,
    verb: 'close_flow_key',
    kind: 'flow_rule',
    body: { for: '1m' },
  },
  'post /v1/flow/{kind}/{name}/open': { prepare: rule, verb: 'open_flow_key', kind: 'flow_rule' },
  'post /v1/api-keys': {
    prepare: noKey,
    verb: 'create_api_key',
    kind: 'api_key',
    body: { name: 'deploy', scopes: ['read'] },
  },
  'post /v1/api-keys/{key}/revoke': { prepare: key, verb: 'revoke_api_key', kind: 'api_key' },
  'post /v1/alerts/silence': { prepare: raised('*'), verb: 'silence', kind: 'alert', body: { key: '*', for: '1h' } },
  'post /v1/alerts/acknowledge': {
    prepare: raised('horizon_pinned/session 7'),
    verb: 'acknowledge',
    kind: 'alert',
    body: { key: 'horizon_pinned/session 7' },
  },
  'post /v1/alerts/test': { prepare: raised('test'), verb: 'test', kind: 'alert' },
  'post /v1/bulk-actions': { prepare: cancelled, verb: 'start_bulk_action', kind: 'bulk_action', body: RETRY },
  'post /v1/bulk-actions/{id}/abort': { prepare: begun, verb: 'abort_bulk_action', kind: 'bulk_action' },
  'post /v1/bulk-actions/{id}/undo': { prepare: finished, verb: 'undo_bulk_action', kind: 'bulk_action' },
};

/** Those that leave no entry, and why. */
const UNAUDITED: Readonly<Record<string, string>> = {
  'post /v1/wake': 'a platform calls it each minute, and what it does workers do as well',
  'post /v1/bulk-actions/preview': 'it changes nothing',
  'post /v1/schedule-previews': 'it changes nothing',
  'post /v1/flow/{kind}/{name}/preview': 'it changes nothing',
  'post /v1/queues/{queue}/slots/preview': 'it changes nothing',
  'post /v1/published-events/{event}/replay/preview': 'it changes nothing',
};

const nameOf = ({ doc }: Route): string => `${doc.method} ${doc.path}`;

test('every route that operates is in one of the two lists: a new one is tried here, or it is said why not', () => {
  const others = routes.filter(
    ({ scope, doc }) => !['public', 'enqueue', 'signal'].includes(scope) && !['get', 'head'].includes(doc.method),
  );
  expect(others.map(nameOf).toSorted()).toEqual([...Object.keys(CHANGES), ...Object.keys(UNAUDITED)].toSorted());
});

async function send(name: string, { body = {}, isReasonInQuery }: Change, place: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  const query = isReasonInQuery ? `?reason=${encodeURIComponent(WHY)}` : '';
  const sent = method === 'delete' ? {} : { body: JSON.stringify(isReasonInQuery ? body : { ...body, reason: WHY }) };
  return ask(api.url + path.replace(/\{\w+\}(\/\{\w+\})?/, place) + query, {
    method: method.toUpperCase(),
    headers,
    ...sent,
  });
}

/** What every table holds but the audit, and when keys were used. */
async function readTables(): Promise<Record<string, string>> {
  const tables = await api.db.$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class AS c
    WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT IN ('audit_entries', 'api_keys')`;
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await api.db.$queryRaw<[{ all: string }]>(
      Prisma.raw(
        `SELECT coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') AS all FROM duework.${name} AS t`,
      ) as never,
    );
    found[name] = row.all;
  }
  return found;
}

const lastId = async (): Promise<bigint> => (await api.db.auditEntry.findFirst({ orderBy: { id: 'desc' } }))?.id ?? 0n;

describe.each(Object.entries(CHANGES))('%s', (name, change) => {
  test('leaves one entry: which key it was, from where, what it changed, and why', async () => {
    const place = await change.prepare();
    const before = await lastId();
    const answer = await send(name, change, place);
    expect([answer.status, answer.status < 300 ? '' : answer.text]).toEqual([answer.status, '']);
    await api.bulkActionsEnded();
    const entries = await api.db.auditEntry.findMany({
      where: { id: { gt: before }, verb: { not: 'finish_bulk_action' } },
    });
    expect(entries).toMatchObject([
      { by: 'key:ops', via: 'api', fromAddress: '127.0.0.1', reason: WHY, verb: change.verb, kind: change.kind },
    ]);
    const { target } = entries[0]!;
    if (change.kind === 'bulk_action') expect(await api.db.bulkAction.count({ where: { id: BigInt(target) } })).toBe(1);
    else if (change.kind === 'api_key')
      expect(await api.db.apiKey.count({ where: { id: target, name: 'deploy' } })).toBe(1);
    else expect(target).toBe(place);
  });

  test('changes nothing where its entry cannot be written', async () => {
    const place = await change.prepare();
    const before = await readTables();
    await api.db.$executeRaw`
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no entry''; END'`;
    await api.db.$executeRaw`
      CREATE TRIGGER refuse BEFORE INSERT ON duework.audit_entries FOR EACH ROW EXECUTE FUNCTION public.refuse()`;
    const { status } = await send(name, change, place);
    await api.db.$executeRaw`DROP FUNCTION public.refuse CASCADE`;
    expect([status, await readTables()]).toEqual([500, before]);
  });
});
