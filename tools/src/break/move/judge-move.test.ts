import { expect, test } from '@jest/globals';
import { judgeMove, type MoveEvidence } from './judge-move.js';

const AT = 1_000_000;
const waiting = (n: number, atMs = AT) => ({ n, is: 'waiting' as const, atMs });
const failed = (n: number) => ({ n, is: 'failed' as const, atMs: AT });
const ran = (fromMs: number, toMs: number | null = fromMs + 50) => ({ side: 'old' as const, fromMs, toMs });
const good: MoveEvidence = {
  jobs: [
    { n: 1, state: 'due' },
    { n: 2, state: 'later' },
    { n: 3, state: 'failed' },
    { n: 4, state: 'due' },
  ],
  runs: new Map([[1, [ran(10_000)]]]),
  before: [waiting(1), waiting(2), failed(3), waiting(4)],
  here: [waiting(2), failed(3), waiting(4)],
  there: [],
  side: 'here',
  kills: [{ fromMs: 50_000, toMs: 52_000 }],
};
const broken = (change: Partial<MoveEvidence>): string[] =>
  judgeMove({ ...good, ...change })
    .filter((verdict) => verdict.broken.length > 0)
    .map(({ promise }) => promise.replace(/ \(.*/, ''));

test('a move that has kept every promise breaks none', () => {
  expect(broken({})).toEqual([]);
});

test.each<[string, string[], Partial<MoveEvidence>]>([
  ['a job is nowhere', ['no job is lost'], { here: [waiting(2), failed(3)] }],
  ['a job waits on both sides', ['no job is there twice, or has run twice'], { there: [waiting(4)] }],
  [
    'a job runs twice',
    ['no job is there twice, or has run twice'],
    { runs: new Map([[1, [ran(10_000), ran(11_000)]]]) },
  ],
  ['a job has run, and waits', ['no job is there twice, or has run twice'], { there: [waiting(1)] }],
  ['a job has another moment', ['with its moment'], { here: [waiting(2, AT + 1_000), failed(3), waiting(4)] }],
  ['a failed one waits', ['what is not due is here, as it was'], { here: [waiting(2), waiting(3), waiting(4)] }],
  ['there is one that nobody has seeded', ['nothing else is there'], { there: [{ n: null, is: 'waiting', atMs: AT }] }],
])('it finds that %s', (_, promises, change) => {
  expect(broken(change)).toEqual(promises);
});

test('a job that was in the hands of a worker when a database died may run again', () => {
  expect(broken({ runs: new Map([[1, [ran(49_990, null), ran(60_000)]]]) })).toEqual([]);
  expect(broken({ runs: new Map([[1, [ran(40_000), ran(60_000)]]]) })).toHaveLength(1);
});
