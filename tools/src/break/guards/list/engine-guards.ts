import type { Guard } from '../guard.js';
import { core, cut, migration } from './places.js';

const afterDeploy = (title: string) => ({ file: core('flow/changed-rules.test.ts'), title });

/** What a worker is told, holds and waits for. */
export const engineGuards: readonly Guard[] = [
  {
    name: 'forget-started',
    says: 'a worker that is never idle keeps nothing of what it has done',
    edits: [
      cut(
        core('claim/owned-runs.ts'),
        'if (this.#first === this.#buffered.length || this.#first === MAX_STARTED) this.#forgetStarted();',
        'if (this.#first === this.#buffered.length || this.#first === Infinity * MAX_STARTED) this.#forgetStarted();',
      ),
    ],
    tests: [
      {
        file: core('event-loop/forget-started.test.ts'),
        title: 'where there is always more to start, what was started and settled is kept by nobody',
      },
    ],
  },
  {
    name: 'phase-refused',
    says: 'a run goes from phase to phase as the table says, and no other way',
    edits: [
      cut(core('claim/owned-run.ts'), 'if (!RUN_PHASES[this.#phase].includes(next)) return false;', 'void RUN_PHASES;'),
    ],
    tests: [
      {
        file: core('run/run-phase.test.ts'),
        title: 'only one settlement is ever begun: a run that is settling or has ended begins no other',
      },
      {
        file: core('run/run-phase.test.ts'),
        title: 'a run that is %s goes on to %s where the table says so, and is left alone otherwise',
        of: 'ended',
      },
    ],
  },
  {
    name: 'gates-of-claims',
    says: 'no handler begins with a job that has the gates of other rules',
    edits: [
      cut(
        core('store/gate-changes.ts'),
        'return contract !== undefined && !hasGatesOf(contract, run);',
        "return contract !== undefined && !hasGatesOf(contract, run) && run.id === '';",
      ),
    ],
    tests: [afterDeploy('what they enqueue is not run before it stands in line, uncharged')],
  },
  {
    name: 'gates-before-claims',
    says: 'no worker of new rules claims a type before its jobs that wait have their gates',
    edits: [
      cut(
        core('store/gate-changes.ts'),
        'if (this.#changing.size === 0) return request;',
        'if (this.#changing.size >= 0) return request;',
      ),
    ],
    tests: [
      afterDeploy('gets its gates in portions of 2,000, two statements each, and none of the type is claimed before'),
    ],
  },
  {
    name: 'gates-of-one-taker',
    says: 'one worker at a time gives jobs that wait the gates of new rules',
    edits: [
      cut(
        migration('20261120121000_change'),
        "AND (d.gates_by IS NULL OR d.gates_by = taker OR d.gates_at < clock_timestamp() - interval '5 seconds')",
      ),
    ],
    tests: [afterDeploy('is gone on with by another worker where the one that was at it is killed')],
  },
  {
    name: 'chore-jitter',
    says: 'workers that started together do not do their chores together',
    edits: [
      cut(
        core('maintenance/maintain.ts'),
        'await pause(engine.clock, spreadPoll(intervalMs, engine.random()), signal);',
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
        core('claim/claim-round.ts'),
        'const isWoken = await alarm.wait(mark, Math.min(spreadPoll(this.#idleMs, random()), this.#dueInMs()), clock);',
        'const isWoken = await alarm.wait(mark, Math.min(spreadPoll(this.#idleMs, 0.5 + 0 * random()), this.#dueInMs()), clock);',
      ),
    ],
    tests: [
      {
        file: core('claim/poll-loop.test.ts'),
        title: 'fifty workers that started together do not look together: their polls are spread by a fifth either way',
      },
    ],
  },
  {
    name: 'listener-alone',
    says: 'whoever does not know the others answers every wake-up',
    edits: [
      cut(core('wake/listener-group.ts'), "if (place === null) return 'chosen';", 'if (place === null) return null;'),
    ],
    tests: [{ file: core('wake/choose-listener.test.ts'), title: 'who does not know the others is chosen' }],
  },
  {
    name: 'listener-spare',
    says: 'somebody looks whether the chosen one has claimed',
    edits: [cut(core('wake/listener-group.ts'), "return distance === runs ? 'spare' : null;", 'return null;')],
    tests: [
      {
        file: core('wake/choose-listener.test.ts'),
        title: 'one is chosen for each run, and the one behind them looks later',
      },
    ],
  },
  {
    name: 'listener-gone',
    says: 'a listener that finds another one gone tells all',
    edits: [
      cut(core('wake/listener-group.ts'), 'if (this.#known !== before) await this.ask(TEXTS.tell);', 'void before;'),
    ],
    tests: [
      {
        file: core('wake/listener-group.test.ts'),
        title: 'who is gone without a word is found out by the next one who reads the list, and all are told',
      },
    ],
    error: /Exceeded timeout/,
  },
  {
    name: 'listener-leaves',
    says: 'a worker that stops is chosen no more',
    edits: [cut(core('worker/create-worker.ts'), 'leases.stopListening?.();')],
    tests: [
      {
        file: core('wake/shared-wakes.test.ts'),
        title: 'a worker that stops is chosen no more, while its handlers end',
      },
    ],
    error: /Exceeded timeout/,
  },
  {
    name: 'chosen-full',
    says: 'a wake-up does not end at a worker without a free slot',
    edits: [
      cut(
        core('worker/handle-messages.ts'),
        'if (runs.room() === 0 || engine.brakes.shutBy !== null) return message.passOn();',
      ),
    ],
    tests: [
      {
        file: core('worker/handle-messages.test.ts'),
        title: 'a wake-up that chose a worker without a free slot, or one that may not claim, is passed on',
      },
    ],
  },
  {
    name: 'kept-turns',
    says: 'a connection of pg is sent one statement at a time',
    edits: [
      cut(
        core('wake/kept-connection.ts'),
        'const answer = opened.turn.then(() => this.#send(opened, text, values));',
        'const answer = this.#send(opened, text, values);',
      ),
    ],
    tests: [
      {
        file: core('wake/kept-connection.test.ts'),
        title: 'statements that are asked for together take turns, and each gets its own answer',
      },
    ],
  },
  {
    name: 'pass-on-seldom',
    says: 'wake-ups do not multiply where nobody has a free slot',
    edits: [
      cut(
        core('wake/listener-group.ts'),
        'if (this.clock.monotonicMs() - (this.#wokenMs.get(queue) ?? -Infinity) < ALL_AWAKE_MS) return;',
        'void ALL_AWAKE_MS;',
      ),
    ],
    tests: [
      {
        file: core('wake/pass-on.test.ts'),
        title: 'while everybody who was woken still polls often, nothing is passed on',
      },
    ],
  },
  {
    name: 'spare-pause',
    says: 'spares do not claim once for each job',
    edits: [
      cut(
        core('wake/alarm.ts'),
        'const waitMs = Math.max(HEAD_START_MS, this.#lookedMs + PAUSE_MS - this.clock.monotonicMs());',
        'void PAUSE_MS, this.#lookedMs; const waitMs = HEAD_START_MS;',
      ),
    ],
    tests: [
      {
        file: core('wake/alarm.test.ts'),
        title: 'a spare looks every 2 s at the most, and after 10 ms again where the last look has found something',
      },
    ],
  },
  {
    name: 'spare-found',
    says: 'what a dead worker was chosen for does not wait',
    edits: [cut(core('wake/alarm.ts'), 'this.#lookedMs = -Infinity;')],
    tests: [
      {
        file: core('wake/alarm.test.ts'),
        title: 'a spare looks every 2 s at the most, and after 10 ms again where the last look has found something',
      },
    ],
  },
  {
    name: 'due-remembered',
    says: 'a claim that took runs does not make the worker forget the next one',
    edits: [
      cut(
        core('claim/claim-round.ts'),
        'const dueMs = claimed === 0 ? nowMs + dueInMs : Math.min(this.#dueMs ?? -Infinity, nowMs + dueInMs);',
        'const dueMs = nowMs + dueInMs;',
      ),
    ],
    tests: [
      {
        file: core('claim/poll-loop.test.ts'),
        title: 'a worker whose chosen claim took a run still wakes when the next one, of which it knew, becomes due',
      },
    ],
    error: /Exceeded timeout/,
  },
  {
    name: 'look-again',
    says: 'a claim that may have missed the run is followed by others',
    edits: [
      cut(
        core('claim/claim-round.ts'),
        "return !isOften && !isPartial && (claimed === 0 || (look !== 'later' && this.#dueMs !== null));",
        (text) => text.replace('!isPartial && ', '(isPartial || !isPartial) && '),
      ),
    ],
    tests: [
      {
        file: core('claim/poll-loop.test.ts'),
        title: 'a worker that a wake-up has chosen claims again where its claim may have missed the run',
      },
    ],
  },
  {
    name: 'listen-anew',
    says: 'a new connection for wake-ups is a wake-up, for nobody knows what the old one missed',
    edits: [cut(core('wake/listen-for-wakes.ts'), "notify({ kind: 'woken', queue: null });")],
    tests: [
      {
        file: core('wake/listen-for-wakes.test.ts'),
        title: 'it is a wake-up to be connected, and each queue that is named, once for a transaction',
      },
    ],
  },
];
