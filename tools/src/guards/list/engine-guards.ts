import type { Guard } from '../guard.js';
import { core, cut } from './places.js';

/** What a worker is told, holds and waits for. */
export const engineGuards: readonly Guard[] = [
  {
    name: 'forget-started',
    says: 'a worker that is never idle keeps nothing of what it has done',
    edits: [
      cut(
        core('engine/held-runs.ts'),
        'forget-started',
        'if (this.#first === this.#buffered.length || this.#first === Infinity * MAX_STARTED) this.#forgetStarted();',
      ),
    ],
    tests: [
      {
        file: core('engine/forget-started.test.ts'),
        title: 'where there is always more to start, what was started and settled is kept by nobody',
      },
    ],
  },
  {
    name: 'phase-refused',
    says: 'a run goes from phase to phase as the table says, and no other way',
    edits: [cut(core('engine/held-run.ts'), 'phase-refused', 'void RUN_PHASES;')],
    tests: [
      {
        file: core('engine/run-phase.test.ts'),
        title: 'only one settlement is ever begun: a run that is settling or has ended begins no other',
      },
      {
        file: core('engine/run-phase.test.ts'),
        title: 'a run that is %s goes on to %s where the table says so, and is left alone otherwise',
        of: 'ended',
      },
    ],
  },
  {
    name: 'chore-jitter',
    says: 'workers that started together do not do their chores together',
    edits: [
      cut(
        core('maintenance/maintain.ts'),
        'chore-jitter',
        'await pause(engine.clock, spreadPoll(intervalMs, 0.5), signal);',
      ),
    ],
    tests: [
      {
        file: core('maintenance/maintain.test.ts'),
        title: 'workers that started together do not do their chores together: each waits ±20 % of the interval',
      },
    ],
  },
  {
    name: 'poll-jitter',
    says: 'workers that started together do not poll together',
    edits: [
      cut(
        core('engine/poll-loop.ts'),
        'poll-jitter',
        'this.#isWoken = await alarm.wait(mark, Math.min(spreadPoll(this.#idleMs, 0.5 + 0 * random()), dueInMs), clock);',
      ),
    ],
    tests: [
      {
        file: core('engine/poll-loop.test.ts'),
        title: 'fifty workers that started together do not look together: their polls are spread by a fifth either way',
      },
    ],
  },
  {
    name: 'listen-anew',
    says: 'a new connection for wake-ups is a wake-up, for nobody knows what the old one missed',
    edits: [cut(core('engine/listen-for-wakes.ts'), 'listen-anew')],
    tests: [
      {
        file: core('engine/listen-for-wakes.test.ts'),
        title: 'it is a wake-up to be connected, and each queue that is named, once for a transaction',
      },
    ],
  },
];
