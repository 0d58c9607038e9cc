/** `npm run check -- words`: refuses the words that docs/internals/words.md says are not used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { checkWords } from './check-words.js';
import { listTexts } from './list-texts.js';
import { readGlossary } from './read-glossary.js';

const program = createProgram(
  'check words',
  `Looks for the words of the last table of docs/internals/words.md, in the names of code and of files;
prose may use any word. Where a word is not ours, tools/src/check/words/allowed.ts says so. Exit code 1: one was found.`,
);

await runProgram(program, () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const words = readGlossary(read('docs/internals/words.md'));
  const texts = listTexts(root);
  const found = texts.flatMap((path) => checkWords(path, read(path), words));
  for (const { path, line, word, instead, text } of found)
    process.stdout.write(`${path}${line === 0 ? '' : `:${line}`}  "${word}" is not used; ${instead}\n  ${text}\n`);
  process.stdout.write(
    found.length === 0 ? `${texts.length} files use the words of the glossary.\n` : `${found.length} words to mend.\n`,
  );
  return found.length === 0 ? 0 : 1;
});
