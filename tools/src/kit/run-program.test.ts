import { afterEach, expect, jest, test } from '@jest/globals';
import { createProgram, namesAmong, wholeNumber } from './create-program.js';
import { runProgram } from './run-program.js';

const argv = process.argv;

afterEach(() => {
  process.argv = argv;
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** Runs a tool with these arguments; returns what it was given, what it printed and its exit code. */
async function run(...args: string[]) {
  process.argv = ['node', 'main.js', ...args];
  let said = '';
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  const program = createProgram('check probe', 'Tries this\nand that.')
    .option('--rounds <n>', 'how many', wholeNumber(1, 20), 3)
    .option('--only <a,b>', 'these', namesAmong(['drain', 'idle']));
  let options: object | null = null;
  await runProgram(program, () => {
    options = { ...program.opts() };
    return 7;
  });
  return { options, said, code: process.exitCode };
}

test('a tool gets its options, and the number it returns is its exit code', async () => {
  expect(await run('--only', 'idle,drain')).toEqual({
    options: { rounds: 3, only: ['idle', 'drain'] },
    said: '',
    code: 7,
  });
});

test('--help explains the tool and its options, and runs nothing', async () => {
  const { options, said, code } = await run('--help');
  expect(options).toBeNull();
  expect(code).toBe(0);
  for (const part of ['npm run check -- probe [options]', 'Tries this and that.', '--rounds <n>', '(default: 3)'])
    expect(said).toContain(part);
});

test.each([
  [['--bogus'], "unknown option '--bogus'"],
  [['stray'], 'too many arguments'],
  [['--rounds', '21'], 'It is a whole number from 1 to 20.'],
  [['--rounds', '1.5'], 'It is a whole number from 1 to 20.'],
  [['--only', 'drain,nap'], 'There is no "nap"; there is drain, idle.'],
])('an invalid command line is refused with the reason, and runs nothing: %j', async (args, reason) => {
  const { options, said, code } = await run(...args);
  expect(options).toBeNull();
  expect(code).toBe(2);
  expect(said).toContain(reason);
  expect(said).toContain('npm run check -- probe --help tells what there is.');
});
