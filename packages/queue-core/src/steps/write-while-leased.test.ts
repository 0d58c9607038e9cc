import { expect, test } from '@jest/globals';
import { createFakeClock } from '@duework/testing';
import type { NewStep, StepAnswer, StepStore } from '../ports/steps.js';
import { LeasedWriter } from './write-while-leased.js';

const report = { failed: () => {}, succeeded: () => {} };
const stepOf = (id: string): NewStep => ({
  id,
  fence: 1,
  name: 'a',
  status: 'done',
  askedSeq: 1,
  doneSeq: 2,
  open: [],
  result: null,
  error: null,
});

/** A writer whose statements a test answers, one after the other. */
function open() {
  const clock = createFakeClock();
  const sent: { readonly ids: string[]; readonly answer: (with_: StepAnswer | Error) => void }[] = [];
  const writeSteps: StepStore['writeSteps'] = (batch) =>
    new Promise((resolve, reject) =>
      sent.push({
        ids: batch.map(({ id }) => id),
        answer: (answer) => (answer instanceof Error ? reject(answer) : resolve(batch.map(() => answer))),
      }),
    );
  const writer = new LeasedWriter<NewStep, StepAnswer>({ send: writeSteps, lost: 'lost', clock, report });
  const write = (id: string): Promise<StepAnswer> =>
    writer.write(stepOf(id), { grantedMs: clock.monotonicMs(), leaseMs: 1_000 });
  return { clock, sent, write };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one step is written at once, and those that come meanwhile share the next statement', async () => {
  const { sent, write } = open();
  const answers = [write('1')];
  await turn();
  answers.push(write('2'), write('3'));
  await turn();
  expect(sent.map(({ ids }) => ids)).toEqual([['1']]);
  sent[0]!.answer('written');
  await turn();
  expect(sent.map(({ ids }) => ids)).toEqual([['1'], ['2', '3']]);
  sent[1]!.answer('written');
  expect(await Promise.all(answers)).toEqual(['written', 'written', 'written']);
});

test('what the database refuses is told to its step alone', async () => {
  const { sent, write } = open();
  const [bad, good] = [write('1'), write('2')];
  const refused = Object.assign(new Error('no such thing'), { code: '22000' });
  await turn();
  sent[0]!.answer(refused);
  await turn();
  sent[1]!.answer(refused);
  await expect(bad).rejects.toBe(refused);
  await turn();
  sent[2]!.answer('written');
  expect(await good).toBe('written');
});

test('while the database is away a step is tried again, until its lease is over', async () => {
  const { clock, sent, write } = open();
  const first = write('1');
  await turn();
  sent[0]!.answer(new Error('away'));
  await turn();
  await clock.advance(100);
  await turn();
  sent[1]!.answer('written');
  expect(await first).toBe('written');
  const late = write('2');
  await turn();
  sent[2]!.answer(new Error('away'));
  await turn();
  await clock.advance(2_000);
  await turn();
  // it was tried again before its lease was over
  sent[3]!.answer(new Error('away'));
  await turn();
  await clock.advance(2_000);
  expect(await late).toBe('lost');
});
