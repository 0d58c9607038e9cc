import { beforeEach, expect, test } from '@jest/globals';
import { catalog, note, useSchedules } from './testing/use-schedules.js';
import { deleteSchedule, pauseSchedule, resumeSchedule, triggerSchedule } from './operate-schedules.js';
import { registerSchedules } from './register-schedules.js';
import { saveSchedule } from './save-schedule.js';
import { scheduleRequest } from './schedule-request.js';

const { db } = useSchedules();
const ANA = { by: 'person:ana@example.org', via: 'api', from: '192.0.2.7', reason: 'month end' } as const;
const rule = { key: 's', every: '1m', payload: { n: 4_242_424 }, overlap: 'allow' } as const;

let lastId = 0n;
beforeEach(async () => {
  lastId = (await db().auditEntry.findFirst({ orderBy: { id: 'desc' } }))?.id ?? 0n;
});
const entries = () => db().auditEntry.findMany({ where: { id: { gt: lastId } }, orderBy: { id: 'asc' } });

test('every verb of schedules leaves one entry with what was before and after', async () => {
  await saveSchedule(db(), note, rule, ANA);
  await saveSchedule(db(), note, { ...rule, every: '2m' }, ANA);
  await pauseSchedule(db(), 's', ANA);
  await resumeSchedule(db(), 's', ANA);
  const { id } = await triggerSchedule(db(), catalog, 's', ANA);
  await deleteSchedule(db(), 's', ANA);
  const found = await entries();
  for (const entry of found)
    expect(entry).toMatchObject({
      by: ANA.by,
      via: 'api',
      fromAddress: '192.0.2.7',
      reason: 'month end',
      kind: 'schedule',
      target: 's',
    });
  expect(found.map(({ verb, before, after }) => ({ verb, before, after }))).toMatchObject([
    { verb: 'save_schedule', before: null, after: { type: 'note', everyMs: 60_000, payloadFields: ['n'] } },
    { verb: 'save_schedule', before: { everyMs: 60_000 }, after: { everyMs: 120_000, payloadChanged: false } },
    { verb: 'pause_schedule', before: { isPaused: false }, after: { isPaused: true } },
    { verb: 'resume_schedule', before: { isPaused: true }, after: { isPaused: false } },
    { verb: 'trigger_schedule', before: null, after: { jobId: id } },
    { verb: 'delete_schedule', before: { everyMs: 120_000 }, after: null },
  ]);
});

test('of an edited payload the audit has the names of the fields, and no value', async () => {
  await saveSchedule(db(), note, rule, ANA);
  await saveSchedule(db(), note, { ...rule, payload: { n: 5_353_535 } }, ANA);
  const found = await entries();
  expect(found.at(-1)).toMatchObject({ after: { payloadChanged: true, payloadFields: ['n'] } });
  expect(JSON.stringify(found.map(({ before, after }) => [before, after]))).not.toMatch(/4242424|5353535/);
});

test('a verb that is refused, or finds all as it was asked for, leaves no entry', async () => {
  await expect(pauseSchedule(db(), 'none', ANA)).rejects.toMatchObject({ code: 'schedule_not_found' });
  await expect(deleteSchedule(db(), 'none', ANA)).rejects.toMatchObject({ code: 'schedule_not_found' });
  await saveSchedule(db(), note, rule, ANA);
  await saveSchedule(db(), note, rule, ANA);
  await resumeSchedule(db(), 's', ANA);
  await expect(pauseSchedule(db(), 's', { by: 'x'.repeat(2_000) })).rejects.toMatchObject({ code: 'invalid_option' });
  expect((await entries()).map(({ verb }) => verb)).toEqual(['save_schedule']);
});

test('a deploy leaves entries for what it adds, changes and deletes, and none for what was there already', async () => {
  const declare = (version: number, every: '1m' | '2m', keys: readonly string[]) =>
    registerSchedules(
      db(),
      catalog,
      keys.map((key) => scheduleRequest(note, { ...rule, key, every })),
      { program: 'shop', version },
    );
  await declare(1, '1m', ['a', 'b']);
  await declare(1, '1m', ['a', 'b']);
  await declare(2, '1m', ['a', 'b']);
  await declare(3, '2m', ['a']);
  expect((await entries()).map(({ verb, target, by }) => `${verb} ${target} ${by}`)).toEqual([
    'save_schedule a program',
    'save_schedule b program',
    'save_schedule a program',
    'delete_schedule b program',
  ]);
});
