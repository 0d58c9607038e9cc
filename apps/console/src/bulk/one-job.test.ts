import { expect, test } from '@jest/globals';
import { readChoice } from './bulk-choice.js';
import { choiceOfOne, filterOfOne, listOneVerbs, type OneJob } from './one-job.js';

const job: OneJob = {
  id: '42',
  status: 'queued',
  type: 'send_invoice',
  runAt: '2026-11-23T10:30:00.000Z',
  priority: 5,
  queue: 'mail',
  fields: [],
};

test('the verbs of one job are those of its status', () => {
  const all = { hasKey: true, hasFields: true };
  expect(listOneVerbs(job, all)).toEqual(['reschedule', 'change_priority', 'change_queue', 'edit_payload']);
  expect(listOneVerbs({ ...job, status: 'dead' }, all)).toEqual(['edit_payload', 'free_key', 'delete']);
  expect(listOneVerbs({ ...job, status: 'dead' }, { hasKey: false, hasFields: false })).toEqual(['delete']);
  for (const status of ['running', 'succeeded'] as const) expect(listOneVerbs({ ...job, status }, all)).toEqual([]);
});

test('its dialog begins with what it has, and its filter names it and its type', () => {
  const filter = filterOfOne(job);
  expect(filter).toBe('type:send_invoice status:queued,running,failed,dead,cancelled id:42');
  expect(readChoice('reschedule', filter, choiceOfOne(job))).toEqual({ verb: 'reschedule', filter, runAt: job.runAt });
  expect(readChoice('change_priority', filter, choiceOfOne(job))).toMatchObject({ priority: 5 });
  expect(readChoice('change_queue', filter, choiceOfOne(job))).toMatchObject({ queue: 'mail' });
});
