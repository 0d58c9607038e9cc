import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

type Row = Readonly<Record<string, string | number | null>>;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Inserts a row and rolls back; returns the name of the constraint that refused it, or `accepted`. */
async function insert(table: string, row: Row): Promise<string> {
  const columns = Object.keys(row);
  await client.query('BEGIN');
  try {
    const values = columns.map((_, index) => `$${index + 1}`);
    await client.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`,
      Object.values(row),
    );
    return 'accepted';
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.constraint ?? `${error.code ?? ''} ${error.column ?? ''}`;
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

const at = '2026-01-14T02:00:00Z';
const base: Row = {
  id: 1,
  queue: 'default',
  job_type: 'send_invoice',
  job_version: 1,
  priority: 5,
  run_at: at,
  payload: '{}',
  max_attempts: 3,
};
const lease: Row = { locked_by: 'worker-1', locked_until: at, claimed_at: at };
const failure: Row = { failed_at: at, error_code: 'timeout', last_error: 'no answer' };

const queued: Row = { ...base, status: 'queued' };
const running: Row = { ...base, ...lease, status: 'running', attempts: 1, fence: 1 };
const failed: Row = { ...base, ...failure, status: 'failed', attempts: 1, fence: 1 };

describe('an impossible run is refused by the database', () => {
  test.each<[string, Row, string]>([
    ['a queued run', queued, 'accepted'],
    ['a running run with its lease', running, 'accepted'],
    ['a failed run that waits for its retry', failed, 'accepted'],
    ['a running run that is asked to stop', { ...running, cancel_requested_at: at }, 'accepted'],
    ['a running run on its last attempt', { ...running, attempts: 3 }, 'accepted'],
    ['running with more attempts than allowed', { ...running, attempts: 4 }, 'job_runs_state_check'],
    ['queued after its last attempt', { ...queued, attempts: 3 }, 'job_runs_state_check'],
    ['running without an owner', { ...running, locked_by: null }, 'job_runs_state_check'],
    ['running without an end of the lease', { ...running, locked_until: null }, 'job_runs_state_check'],
    ['running since never', { ...running, claimed_at: null }, 'job_runs_state_check'],
    ['running without an attempt', { ...running, attempts: 0 }, 'job_runs_state_check'],
    ['running without a fence', { ...running, fence: 0 }, 'job_runs_state_check'],
    ['queued with an owner', { ...queued, locked_by: 'worker-1' }, 'job_runs_state_check'],
    ['queued with a lease', { ...queued, locked_until: at }, 'job_runs_state_check'],
    ['failed with a lease', { ...failed, ...lease }, 'job_runs_state_check'],
    ['failed without a moment', { ...failed, failed_at: null }, 'job_runs_state_check'],
    ['failed without an error code', { ...failed, error_code: null }, 'job_runs_state_check'],
    ['failed without an error', { ...failed, last_error: null }, 'job_runs_state_check'],
    ['more attempts than allowed', { ...queued, attempts: 4 }, 'job_runs_state_check'],
    ['a negative number of attempts', { ...queued, attempts: -1 }, 'job_runs_state_check'],
    ['no attempt allowed', { ...queued, max_attempts: 0 }, 'job_runs_state_check'],
    ['a finished status among the live ones', { ...queued, status: 'succeeded' }, 'job_runs_state_check'],
    ['a status nobody knows', { ...queued, status: 'paused' }, 'job_runs_state_check'],
    ['a priority out of range', { ...queued, priority: 10 }, 'job_runs_priority_check'],
    ['a fence below zero', { ...queued, fence: -1 }, 'job_runs_state_check'],
    ['a queued run that is asked to stop', { ...queued, cancel_requested_at: at }, 'job_runs_state_check'],
    ['no payload', { ...queued, payload: null }, '23502 payload'],
  ])('%s', async (_, row, expected) => {
    expect(await insert('duework.job_runs', row)).toBe(expected);
  });
});

const finished: Row = {
  ...base,
  attempts: 1,
  fence: 1,
  worker: 'worker-1',
  claimed_at: at,
  created_at: at,
  finished_at: at,
};
const succeeded: Row = { ...finished, status: 'succeeded' };
const dead: Row = { ...finished, ...failure, status: 'dead' };
const cancelled: Row = { ...finished, status: 'cancelled', cancel_requested_at: at };

describe('an impossible finished run is refused by the database', () => {
  test.each<[string, Row, string]>([
    ['a run that succeeded', succeeded, 'accepted'],
    ['a dead run', dead, 'accepted'],
    ['a cancelled run', cancelled, 'accepted'],
    ['finished at no time', { ...succeeded, finished_at: null }, '23502 finished_at'],
    ['a live status among the finished ones', { ...succeeded, status: 'running' }, '23514 '],
    ['succeeded on no worker', { ...succeeded, worker: null }, 'job_history_state_check'],
    ['succeeded without an attempt', { ...succeeded, attempts: 0 }, 'job_history_state_check'],
    ['succeeded without a claim', { ...succeeded, claimed_at: null }, 'job_history_state_check'],
    ['dead without an error code', { ...dead, error_code: null }, 'job_history_state_check'],
    ['dead without an error', { ...dead, last_error: null }, 'job_history_state_check'],
    ['dead since never', { ...dead, failed_at: null }, 'job_history_state_check'],
    ['cancelled by nobody', { ...cancelled, cancel_requested_at: null }, 'job_history_state_check'],
  ])('%s', async (_, row, expected) => {
    expect(await insert('duework.job_history', row)).toMatch(new RegExp(`^${expected}$`));
  });
});

const definition: Row = {
  type: 'send_invoice',
  version: 1,
  queue: 'default',
  priority: 5,
  max_attempts: 3,
  timeout_ms: 1000,
  lease_ms: 5000,
  retry: '{}',
  payload_schema: '{}',
};
const attempt: Row = {
  run_id: 1,
  fence: 1,
  attempt: 1,
  job_type: 'send_invoice',
  outcome: 'failed',
  worker: 'worker-1',
  claimed_at: at,
  error_code: 'timeout',
};

describe('an impossible definition, attempt or key is refused by the database', () => {
  test.each<[string, string, Row, string]>([
    ['a definition', 'job_definitions', definition, 'accepted'],
    [
      'a job type with a blank',
      'job_definitions',
      { ...definition, type: 'send invoice' },
      'job_definitions_type_check',
    ],
    ['a lease under a second', 'job_definitions', { ...definition, lease_ms: 999 }, 'job_definitions_limits_check'],
    ['an attempt', 'job_attempts', attempt, 'accepted'],
    [
      'an attempt that failed without a code',
      'job_attempts',
      { ...attempt, error_code: null },
      'job_attempts_error_check',
    ],
    [
      'an attempt with an outcome nobody knows',
      'job_attempts',
      { ...attempt, outcome: 'gone' },
      'job_attempts_outcome_check',
    ],
    ['an endless stack', 'job_attempts', { ...attempt, error_stack: 'x'.repeat(8193) }, 'job_attempts_stack_check'],
    ['an empty key', 'job_keys', { job_type: 'send_invoice', key: '', run_id: 1 }, 'job_keys_key_check'],
    ['an endless key', 'job_keys', { job_type: 'send_invoice', key: 'x'.repeat(256), run_id: 1 }, 'job_keys_key_check'],
  ])('%s', async (_, table, row, expected) => {
    expect(await insert(`duework.${table}`, row)).toBe(expected);
  });
});
