import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { checkWords } from './check-words.js';
import { listTexts } from './list-texts.js';
import { readGlossary } from './read-glossary.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const words = readGlossary(read('docs/internals/words.md'));
const found = (source: string, path = 'packages/x/src/a.ts'): string[] =>
  checkWords(path, source, words).map(({ word, line }) => `${line} ${word}`);

describe('a word that is not used is found', () => {
  test.each([
    ['as a word', 'const sweep = 1;', '1 sweep'],
    ['with a capital', 'class Sweep {}', '1 sweep'],
    ['in the plural', 'sweeps.push(1);', '1 sweep'],
    ['in the name of a thing', "event('sweep')", '1 sweep'],
    ['in a variable', 'const sweepBudget = 1;', '1 sweep'],
    ['at the end of one', 'const lastSweep = 1;', '1 sweep'],
    ['in a constant', 'const IDLE_BEAT_MS = 1;', '1 beat'],
    ['in a column', '  stop_rung text,', '1 rung'],
    ['after an abbreviation', 'readHTTPFront();', '1 front'],
    ['beside a number', 'front2.claim();', '1 front'],
    ['in a private field', '  #sweepBudget = 1;', '1 sweep'],
    ['behind a decrement', '  --sweeps;', '1 sweep'],
    ['as a phrase in a name', 'held.stopSignal.aborted', '1 stop signal'],
    ['on the line where it is', 'a\nb\nfront();\n', '3 front'],
  ])('%s', (_, source, expected) => {
    expect(found(source)).toEqual([expected]);
  });

  test('each word is found where a name has two of them', () => {
    expect(found('heedNotices(deafListener);').sort()).toEqual(['1 deaf', '1 heed', '1 notice']);
  });

  test('it is found in the name of a file', () => {
    expect(found('', 'packages/x/src/sweep-budget.ts')).toEqual(['0 sweep']);
  });
});

describe('nothing is found', () => {
  test.each([
    [
      'in a word that has another one in it',
      'frontier, unreachable, forEach, heartbeat, outdoors, needs, trunks, upbeat',
    ],
    ['in a code of Node', 'ECONNREFUSED, ENETUNREACH, EHOSTUNREACH'],
    ['in plain English that is no word of ours', 'it is noticed when it has reached its end'],
    ['where the words of a phrase stand beside each other by chance', 'stop(signal); [stop, signal]'],
    ['in a comment', 'claim(); // before you notice it'],
    ['in a comment of several lines', ' * so that nobody can reach it'],
    ['in a comment of SQL', '-- the front of it'],
    ['in a sentence', "throw new Error('Cannot reach PostgreSQL at localhost:5432');"],
    ['in the name of an event of pg', `client.on('notice', keep);`],
  ])('%s', (_, source) => {
    expect(found(source)).toEqual([]);
  });
});

test('a page may use any word', () => {
  expect(found('Before you notice, you reach the door.', 'docs/start/x.md')).toEqual([]);
});

describe('the list is the glossary’s', () => {
  test('each word comes with what is said instead', () => {
    expect(words).toContainEqual({ word: 'front', instead: 'lower bound' });
    expect(words).toContainEqual({ word: 'stop ladder', instead: 'stages of an abort' });
    expect(words.map(({ word }) => word)).not.toContain('not used');
  });

  test('and of the table below its heading alone', () => {
    const table = '| not used | said instead |\n| --- | --- |\n| front | lower bound |\n';
    expect(readGlossary(`## Words\n\n| a | b |\n\n## Not used\n\nAny.\n\n${table}\n## More\n\n| c | d |\n`)).toEqual([
      { word: 'front', instead: 'lower bound' },
    ]);
  });

  test.each(['', '## Not used\n\nNothing.\n'])('and without one there is no check: %j', (glossary) => {
    expect(() => readGlossary(glossary)).toThrow('docs/internals/words.md has no table under "## Not used".');
  });

  test('and the files are those that people write, without the glossary', () => {
    const texts = listTexts(root);
    expect(texts).toEqual(
      expect.arrayContaining([
        'AGENTS.md',
        'README.md',
        'packages/queue-core/src/enqueue/enqueue.ts',
        'prisma/schema.prisma',
      ]),
    );
    expect(texts).not.toContain('docs/internals/words.md');
    expect(texts.filter((path) => path.includes('node_modules') || path.includes('/generated/'))).toEqual([]);
  });
});
