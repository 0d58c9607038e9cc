import type { Guard, NamedTest } from '../guard.js';
import { cut, migration, schedules } from './places.js';

const inFile = (unit: string, title: string): NamedTest => ({ file: schedules(`${unit}.test.ts`), title });
const ticked = (title: string): NamedTest => inFile('tick/tick-schedules', title);
const saved = (title: string): NamedTest => inFile('save-schedule', title);
const write = schedules('sql/write-slots.ts');
const decide = schedules('tick/decide-batch.ts');
const lock = schedules('sql/lock-due-schedules.ts');
const decidedOnce = ticked(
  'a slot that is in the ledger is never decided again, also when the clock of the database was set back',
);
const leftToIt = ticked('schedules that another ticker is deciding about are left to it, not waited for');

export const scheduleGuards: readonly Guard[] = [
  {
    name: 'slot-unique',
    says: 'a slot is in the ledger once',
    edits: [
      {
        file: migration('20261120120300_schedules'),
        find: 'CONSTRAINT schedule_slots_pkey PRIMARY KEY (schedule_id, slot_at),',
        replace: '',
      },
      cut(
        write,
        `ON CONFLICT (schedule_id, slot_at) DO UPDATE SET
          outcome = excluded.outcome, reason = excluded.reason, run_id = excluded.run_id,
          decided_at = excluded.decided_at, late_ms = excluded.late_ms
        WHERE l.outcome = 'waiting'`,
      ),
    ],
    tests: [decidedOnce],
  },
  {
    name: 'slot-decided',
    says: 'a slot that was decided stays as it was decided',
    edits: [cut(write, "WHERE l.outcome = 'waiting'")],
    tests: [decidedOnce],
  },
  {
    name: 'slot-written',
    says: 'a tick whose slot somebody else decided takes its run back',
    edits: [
      cut(
        decide,
        'if (written !== decided.length) throw new Error(`the ledger has ${decided.length - written} of these slots already`);',
        (text) => text.replace('written !== decided', 'written > decided'),
      ),
    ],
    tests: [ticked('a slot that somebody else decides meanwhile makes no second run')],
  },
  {
    name: 'tick-skip-locked',
    says: 'a ticker leaves to another what that one decides about',
    edits: [cut(lock, 'FOR UPDATE SKIP LOCKED', 'FOR UPDATE')],
    tests: [leftToIt],
  },
  {
    name: 'tick-lock',
    says: 'a ticker locks the schedules it decides about',
    edits: [cut(lock, 'FOR UPDATE SKIP LOCKED')],
    tests: [leftToIt],
  },
  {
    name: 'tick-clock-set-back',
    says: 'slots of the ledger are left out, also when the clock was set back',
    edits: [
      cut(
        decide,
        '.filter(({ slotMs }) => !known.has(slotMs) || state.waitingMs.includes(slotMs))',
        '.filter(({ slotMs }) => !known.has(slotMs) || slotMs > 0 || state.waitingMs.includes(slotMs))',
      ),
    ],
    tests: [decidedOnce],
    error: /the ledger has \d+ of these slots already/,
  },
  {
    name: 'schedule-version',
    says: 'a program of before the deploy takes no schedule back',
    edits: [
      cut(schedules('register-schedules.ts'), 'if (newest > version) return { saved: [], removed: [] };', (text) =>
        text.replace('> version)', '< 0 * version)'),
      ),
    ],
    tests: [saved('schedules in the code are upserted at a deploy, marked as such, and removed when they vanish')],
  },
  {
    name: 'schedule-list-lock',
    says: 'an older list changes nothing that a newer one is just writing or removing',
    edits: [
      cut(
        schedules('sql/declare-schedule-list.ts'),
        'ON CONFLICT (program) DO UPDATE SET version = greatest(l.version, excluded.version)',
        'ON CONFLICT (program) DO UPDATE SET version = excluded.version',
      ),
    ],
    tests: [
      saved('two deploys at once: the older list changes nothing that the newer one is just writing or removing'),
    ],
  },
  {
    name: 'schedule-program',
    says: 'a program takes no schedule of another one',
    edits: [
      cut(
        schedules('sql/save-schedules.ts'),
        'WHERE coalesce(s.source_program = excluded.source_program, true)',
        (text) => text.replace('WHERE coalesce(', 'WHERE true OR coalesce('),
      ),
    ],
    tests: [saved('a program removes its own schedules only, and takes none of another, also when both start at once')],
  },
  {
    name: 'splay',
    says: 'schedules of one moment are spread',
    edits: [
      cut(
        schedules('rules/splay.ts'),
        "return createHash('sha256').update(key).digest().readUIntBE(0, 6) % (splayMs + 1);",
        (text) => text.replace('% (splayMs + 1)', '% (splayMs - splayMs + 1)'),
      ),
    ],
    tests: [saved('a splay spreads schedules of one moment, each always at the same place')],
  },
];
