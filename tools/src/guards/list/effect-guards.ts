import type { Guard, NamedTest } from '../guard.js';
import { core, storeCase } from './places.js';

const begin = core('sql/begin-effect.ts');
const crash = (of: string): NamedTest => ({
  file: core('testing/crash-at.test.ts'),
  title: 'at %s is followed by one that does what is left, and no more',
  of,
});

export const effectGuards: readonly Guard[] = [
  {
    name: 'effect-recorded',
    says: 'an effect is on record before it happens',
    edits: [
      { file: core('effects/once.ts'), find: ': await begin();', replace: ': await store.findEffect(key);' },
      {
        file: core('effects/once.ts'),
        find: 'if (!state.isBegun) throw new EffectMisuseError(`${about} asked to begin late and never did.`);',
        replace: 'if (!state.isBegun) await begin();',
      },
    ],
    tests: [
      {
        file: core('effects/once.test.ts'),
        title: 'at most once: an effect that may have happened is not done again, and a person is asked',
      },
      crash('effect.before'),
    ],
  },
  {
    name: 'effect-once-a-time',
    says: 'one attempt does not do one effect twice at once',
    edits: [
      {
        file: core('effects/once.ts'),
        find: 'if (active.has(name))',
        replace: `if (active.has(name) && name === '')`,
      },
    ],
    tests: [
      {
        file: core('effects/once.test.ts'),
        title: 'one name twice at once, or a result that is not JSON, is the handler’s mistake',
      },
    ],
  },
  {
    name: 'mail-begins',
    says: 'a mail is on record before its content is sent',
    edits: [
      {
        file: 'apps/worker/src/shop/send-mail-once.ts',
        find: '({ begin }) => send(begin)',
        replace: 'async ({ begin }) => { const reply = await send(async () => {}); await begin(); return reply; }',
      },
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
      {
        file: core('effects/once.ts'),
        find: "  await end({\n    kind: 'done',",
        replace: "  void ({\n    kind: 'done',",
      },
    ],
    tests: [crash('settle.before')],
  },
  {
    name: 'fence-begin-effect',
    says: 'beginning an effect names the fence',
    edits: [{ file: begin, find: 'AND fence = ${fence}::bigint AND status', replace: 'AND status' }],
    tests: [
      storeCase('effect-cases', 'only the claim that holds can begin one'),
      { file: core('effects/once.test.ts'), title: 'the fence: a worker that lost its lease cannot begin an effect' },
    ],
  },
  {
    name: 'begin-effect-lock',
    says: 'the run is locked while its effect begins',
    edits: [{ file: begin, find: '      FOR UPDATE\n', replace: '' }],
    tests: [
      {
        file: core('effects/once.test.ts'),
        title: 'a run that passes on while its effect begins: the effect does not begin',
      },
    ],
  },
  {
    name: 'effect-at-most-once',
    says: 'what an earlier claim left open is a person’s to judge',
    edits: [
      { file: begin, find: ` AND (e.run_id, e.fence) <> (excluded.run_id, excluded.fence)`, replace: ' AND false' },
    ],
    tests: [
      storeCase(
        'effect-cases',
        'at most once: what an earlier claim left open is unknown, until a person wants it done again',
      ),
      { file: core('effects/once.test.ts'), title: 'two claims that begin one effect at once: one of them does it' },
    ],
  },
  {
    name: 'fence-end-effect',
    says: 'an effect is ended by the claim that began it',
    edits: [
      {
        file: core('sql/end-effect.ts'),
        find: ' AND fence = ${claim.fence}::bigint',
        replace: ' AND ${claim.fence}::bigint IS NOT NULL',
      },
    ],
    tests: [storeCase('effect-cases', 'at least once: the next claim takes it over and is told that it is a repeat')],
  },
  {
    name: 'effect-persists',
    says: 'a database that is away is asked again, where an effect is at stake',
    edits: [
      {
        file: core('effects/once.ts'),
        find: 'if (signal.aborted || classifyError(error).isPermanent) throw error;',
        replace: 'if (!signal.aborted || classifyError(error).isPermanent) throw error;',
      },
    ],
    tests: [
      {
        file: core('effects/once.test.ts'),
        title: 'a database that is away while the result is written does not make the effect happen again',
      },
    ],
  },
];
