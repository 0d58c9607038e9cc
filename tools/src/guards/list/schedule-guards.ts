import type { Guard, NamedTest } from '../guard.js';
import { core, migration } from './places.js';

const test = (title: string, unit = 'tick-schedules'): NamedTest => ({ file: core(`schedule/${unit}.test.ts`), title });
const write = core('sql/write-slots.ts');

export const scheduleGuards: readonly Guard[] = [
  {
    name: 'slot-unique',
    says: 'a slot is in the ledger once',
    edits: [
      {
        file: migration('20261120130000_schedules'),
        find: 'CONSTRAINT schedule_slots_pkey PRIMARY KEY (schedule_id, slot_at),',
        replace: '',
      },
      { file: write, find: 'ON CONFLICT (schedule_id, slot_at) DO UPDATE SET', replace: '/* ON CONFLICT' },
      { file: write, find: `WHERE l.outcome = 'waiting'\n`, replace: '*/\n' },
    ],
    tests: [
      test('a slot that is in the ledger is never decided again, also when the clock of the database was set back'),
    ],
  },
  {
    name: 'slot-decided',
    says: 'a slot that was decided stays as it was decided',
    edits: [{ file: write, find: `      WHERE l.outcome = 'waiting'\n`, replace: '' }],
    tests: [
      test('a slot that is in the ledger is never decided again, also when the clock of the database was set back'),
    ],
  },
  {
    name: 'slot-written',
    says: 'a tick whose slot somebody else decided takes its run back',
    edits: [
      {
        file: core('schedule/decide-batch.ts'),
        find: 'if (written !== decided.length) throw',
        replace: 'if (written > decided.length) throw',
      },
    ],
    tests: [test('a slot that somebody else decides meanwhile makes no second run')],
  },
  {
    name: 'tick-skip-locked',
    says: 'a ticker leaves to another what that one decides about',
    edits: [{ file: core('sql/lock-due-schedules.ts'), find: 'FOR UPDATE SKIP LOCKED', replace: 'FOR UPDATE' }],
    tests: [test('schedules that another ticker is deciding about are left to it, not waited for')],
  },
  {
    name: 'tick-lock',
    says: 'a ticker locks the schedules it decides about',
    edits: [{ file: core('sql/lock-due-schedules.ts'), find: '      FOR UPDATE SKIP LOCKED\n', replace: '' }],
    tests: [test('schedules that another ticker is deciding about are left to it, not waited for')],
  },
  {
    name: 'tick-clock-set-back',
    says: 'slots of the ledger are left out, also when the clock was set back',
    edits: [
      {
        file: core('schedule/decide-batch.ts'),
        find: '!known.has(slotMs) || ',
        replace: '!known.has(slotMs) || slotMs > 0 || ',
      },
    ],
    tests: [
      test('a slot that is in the ledger is never decided again, also when the clock of the database was set back'),
    ],
    error: /the ledger has \d+ of these slots already/,
  },
  {
    name: 'schedule-version',
    says: 'a program of before the deploy takes no schedule back',
    edits: [
      {
        file: core('schedule/save-schedule.ts'),
        find: 'if ((await declareScheduleList(tx, version)) > version) return',
        replace: 'if ((await declareScheduleList(tx, version)) < 0) return',
      },
    ],
    tests: [
      test(
        'schedules in the code are upserted at a deploy, marked as such, and removed when they vanish',
        'save-schedule',
      ),
    ],
  },
  {
    name: 'schedule-list-lock',
    says: 'an older list changes nothing that a newer one is just writing or removing',
    edits: [
      {
        file: core('sql/declare-schedule-list.ts'),
        find: 'greatest(l.version, excluded.version)',
        replace: 'excluded.version',
      },
    ],
    tests: [
      test(
        'two deploys at once: the older list changes nothing that the newer one is just writing or removing',
        'save-schedule',
      ),
    ],
  },
  {
    name: 'splay',
    says: 'schedules of one moment are spread',
    edits: [{ file: core('schedule/splay.ts'), find: '% (splayMs + 1)', replace: '% (splayMs - splayMs + 1)' }],
    tests: [test('a splay spreads schedules of one moment, each always at the same place', 'save-schedule')],
  },
];
