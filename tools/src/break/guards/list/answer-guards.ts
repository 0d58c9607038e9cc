import type { Guard, NamedTest } from '../guard.js';
import { cut, migration } from './places.js';

const answers = migration('20261120120800_keys');
const once = 'packages/operate/src/answers/answer-once.ts';
const test = (title: string): NamedTest => ({ file: 'packages/operate/src/answers/answer-once.test.ts', title });

export const answerGuards: readonly Guard[] = [
  {
    name: 'answer-in-flight',
    says: 'a request that is repeated while the first is in flight does nothing',
    edits: [
      cut(
        answers,
        `IF NOT pg_try_advisory_xact_lock(hashtext('duework.kept_answers'),
          hashtext(take_answer.principal || E'\\n' || take_answer.key)) THEN
          RETURN json_build_object('state', 'in_flight');
        END IF;`,
      ),
    ],
    tests: [
      test('a repetition is told at once that the first is in flight, and gets its answer when that has committed'),
    ],
  },
  {
    name: 'answer-other-request',
    says: 'an answer is given again to the same request alone',
    edits: [
      cut(
        answers,
        `IF kept.fingerprint <> take_answer.fingerprint THEN RETURN json_build_object('state', 'other_request'); END IF;`,
      ),
    ],
    tests: [test('the same key with another body is another request, which is refused')],
  },
  {
    name: 'answer-kept',
    says: 'an answer is kept in the transaction of what it tells of',
    edits: [
      cut(
        once,
        'await keepAnswer(tx, request, answer);',
        'if (answer.status === 0) await keepAnswer(tx, request, answer);',
      ),
    ],
    tests: [test('a request that is repeated gets the first answer, to the byte, and writes nothing')],
  },
];
