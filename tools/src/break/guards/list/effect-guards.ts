import type { Guard, NamedTest } from '../guard.js';
import { core, cut, storeCase } from './places.js';

const once = core('effects/once.ts');
const begin = core('sql/effects/begin-effect.ts');
const crash = (of: string): NamedTest => ({
  file: 'packages/testing/src/crash-at.test.ts',
  title: 'at %s is followed by one that does what is left, and no more',
  of,
});
const inOnce = (title: string, of?: string): NamedTest => ({
  file: core('effects/once.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});

export const effectGuards: readonly Guard[] = [
  {
    name: 'effect-recorded',
    says: 'an effect is on record before it happens',
    edits: [
      cut(
        once,
        'const earlier = options.beginLate === true ? await store.findEffect(key) : await begin();',
        'const earlier = options.beginLate === true ? null : await store.findEffect(key);',
      ),
      cut(
        once,
        'if (!state.isBegun) throw new EffectMisuseError(`${about} asked to begin late and never did.`);',
        'if (!state.isBegun) await begin();',
      ),
    ],
    tests: [
      inOnce('at most once: an effect that may have happened is not done again, and a person is asked'),
      crash('effect.before'),
    ],
  },
  {
    name: 'effect-once-a-time',
    says: 'one attempt does not do one effect twice at once',
    edits: [
      cut(
        once,
        `if (active.has(name))
        throw new EffectMisuseError(\`This attempt already does \${about}: give each effect a name of its own.\`);`,
      ),
    ],
    tests: [inOnce('one name twice at once, or a result that is not JSON, is the handler’s mistake')],
  },
  {
    name: 'mail-begins',
    says: 'a mail is on record before its content is sent',
    edits: [
      cut(
        'apps/worker/src/shop/send-mail-once.ts',
        "const reply = await once('mail', ({ begin }) => send(begin), { key, beginLate: true, didNotHappen });",
        (text) =>
          text.replace(
            '({ begin }) => send(begin)',
            'async ({ begin }) => { const reply = await send(async () => {}); await begin(); return reply; }',
          ),
      ),
    ],
    tests: [
      {
        file: 'apps/worker/src/crash.test.ts',
        title: 'a worker killed between the send and the settle sends no second mail',
      },
    ],
  },
  {
    name: 'effect-done',
    says: 'that an effect happened is on record before its run goes on',
    edits: [
      cut(
        once,
        `await end({
        kind: 'done',
        resultJson: encodeJson(
          result ?? null,
          (reason) => new EffectMisuseError(\`The result of \${about} cannot be stored: \${reason}.\`),
        ),
      });`,
        'void encodeJson;',
      ),
    ],
    tests: [crash('settle.before')],
  },
  {
    name: 'effect-after-lease',
    says: 'an effect whose beginning was answered after its lease is left to whoever has the run',
    edits: [cut(once, 'await giveWay(performance, answer.isRepeat, askedMs);', 'void giveWay;')],
    tests: [
      {
        file: core('effects/frozen-worker.test.ts'),
        title: 'does no effect of a %s job after its lease',
        of: 'careful',
      },
      {
        file: core('effects/frozen-worker.test.ts'),
        title: 'does no effect of a %s job after its lease',
        of: 'insistent',
      },
    ],
  },
  {
    name: 'fence-begin-effect',
    says: 'beginning an effect names the fence',
    edits: [
      cut(
        begin,
        "WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND status = 'running'",
        "WHERE id = ${id}::bigint AND status = 'running'",
      ),
    ],
    tests: [
      storeCase('effect-cases', 'only the claim that holds can begin one'),
      inOnce('the fence: a worker that lost its lease cannot begin an effect'),
    ],
  },
  {
    name: 'begin-effect-lock',
    says: 'the run is locked while its effect begins',
    edits: [cut(begin, 'FOR UPDATE')],
    tests: [inOnce('a run that passes on while its effect begins: the effect does not begin')],
  },
  {
    name: 'effect-at-most-once',
    says: 'what an earlier claim left open is a person’s to judge',
    edits: [
      cut(
        begin,
        "WHEN e.status = 'started' AND (e.run_id, e.fence) <> (excluded.run_id, excluded.fence) AND ${policy}::text = 'at_most_once'",
        "WHEN false AND ${policy}::text = 'at_most_once'",
      ),
    ],
    tests: [
      storeCase(
        'effect-cases',
        'at most once: what an earlier claim left open is unknown, until a person wants it done again',
      ),
      inOnce('two claims that begin one effect at once: one of them does it'),
    ],
  },
  {
    name: 'fence-end-effect',
    says: 'an effect is ended by the claim that began it',
    edits: [
      cut(
        core('sql/effects/end-effect.ts'),
        "const isOurs = sql`${isEffect} AND run_id = ${claim.id}::bigint AND fence = ${claim.fence}::bigint AND status = 'started'`;",
        (text) => text.replace('fence = ${claim.fence}::bigint', '${claim.fence}::bigint IS NOT NULL'),
      ),
    ],
    tests: [storeCase('effect-cases', 'at least once: the next claim takes it over and is told that it is a repeat')],
  },
  {
    name: 'effect-persists',
    says: 'a database that is away is asked again, where an effect is at stake',
    edits: [
      cut(
        once,
        'if (signal.aborted || isFinal(error)) throw error;',
        'if (!signal.aborted || isFinal(error)) throw error;',
      ),
    ],
    tests: [inOnce('a database that is away while the result is written does not make the effect happen again')],
  },
];
