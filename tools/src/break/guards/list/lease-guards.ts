import type { Guard, NamedTest } from '../guard.js';
import { core, cut } from './places.js';

const heartbeat = core('leases/heartbeat.ts');
const losing = core('leases/hold-lease.ts');
const holding = core('claim/claim-round.ts');
const abort = (title: string): NamedTest => ({ file: core('run/attempt-abort.test.ts'), title });
const claims = (title: string): NamedTest => ({ file: core('claim/claim-failures.test.ts'), title });

/** Which lease a worker holds, and when it gives one up. */
export const leaseGuards: readonly Guard[] = [
  {
    name: 'lease-end',
    says: 'a lease is not renewed beyond the end of its attempt',
    edits: [cut(heartbeat, 'if (nowMs >= keepUntilMs)', (text) => text.replace('keepUntilMs', '100 * keepUntilMs'))],
    tests: [
      {
        file: core('leases/heartbeat.test.ts'),
        title: 'a lease is renewed when a third of it is over, and never beyond the end of its attempt',
      },
    ],
  },
  {
    name: 'lease-lost-in-time',
    says: 'a lease that the database does not confirm is lost before it is over',
    edits: [
      cut(
        heartbeat,
        'for (const lease of this.#leases.values()) if (isOverByNextLook(lease, nowMs, intervalMs)) this.#lose(lease);',
        'for (const lease of this.#leases.values())\n      if (isOverByNextLook({ ...lease, leaseMs: 100 * lease.leaseMs }, nowMs, intervalMs)) this.#lose(lease);',
      ),
    ],
    tests: [abort('when the heartbeat cannot reach the database, the handler is told before another worker may start')],
  },
  {
    name: 'lease-lost-told',
    says: 'the handler of a lost lease is told',
    edits: [
      cut(
        losing,
        "owned.abort.abort(new AbortReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));",
        'void AbortReason;',
      ),
    ],
    tests: [abort('a worker that lost its lease is told, and its outcome changes nothing')],
  },
  {
    name: 'completed-in-lost',
    says: 'a run that its handler completes is not taken for lost',
    edits: [
      cut(
        losing,
        "if (owned.phase === 'completing') owned.enter('doubtful'); else if (owned.enter('lost')) {",
        "if (owned.enter('lost')) {",
      ),
      cut(
        core('run/run-phase.ts'),
        "completing: ['running', 'doubtful', 'settling', 'ended'],",
        "completing: ['running', 'doubtful', 'lost', 'settling', 'ended'],",
      ),
    ],
    tests: [
      {
        file: core('run/handler-context.test.ts'),
        title: 'a heartbeat that comes between the commit and the return does not take it for lost',
      },
    ],
  },
  {
    name: 'start-sure',
    says: 'after a stop of the process, or without its session, a worker asks for a lease before it starts the run',
    edits: [
      cut(
        core('leases/hold-lease.ts'),
        `if (session.isAway || confirmedMs < session.sinceMs) return false;
  return nowMs - confirmedMs < Math.min(SURE_MS, lease.leaseMs / 2);`,
        'void [session, SURE_MS]; return nowMs - confirmedMs < lease.leaseMs;',
      ),
    ],
    tests: [
      {
        file: core('leases/hold-lease.test.ts'),
        title: 'after a stop of the process a lease is renewed before its run starts, however long it is',
      },
      {
        file: core('leases/hold-lease.test.ts'),
        title: 'while the session is away nothing starts, and then only what was renewed in the new one',
      },
    ],
  },
  {
    name: 'claim-anew-told',
    says: 'a handler whose run was claimed anew by its own worker is told',
    edits: [cut(holding, 'loseLease(engine, earlier);', 'if (grantedMs < 0) loseLease(engine, earlier);')],
    tests: [claims('a handler whose run its own worker has claimed anew is told that its lease is lost')],
  },
  {
    name: 'lost-not-held',
    says: 'what was lost before it started is not renewed in the place of what is held',
    edits: [
      cut(
        core('leases/hold-lease.ts'),
        `if (owned.enter('running')) holdLease(engine, owned, startedMs + timeoutMs + engine.graceMs + leaseMs);`,
        (text) => text.replace(/^if \((owned\.enter\('running'\))\)/, '$1;\n'),
      ),
    ],
    tests: [claims('a run that was lost before it could start and is claimed anew keeps its new lease')],
  },
  {
    name: 'one-lease-of-a-run',
    says: 'of two claims of a run that one worker holds only the later lease is kept',
    edits: [cut(holding, 'engine.leases.letGo(earlier.lease);')],
    tests: [
      claims(
        'of two claims of one run that a worker holds the later one has a lease, although the settlement of the earlier one is on its way',
      ),
    ],
  },
];
