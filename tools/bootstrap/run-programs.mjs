import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

/** @typedef {import('./find-programs.mjs').ChosenProgram} ChosenProgram */

/** @param {ChosenProgram} program */
const builtMain = ({ main }) => join(root, 'tools/dist/src', main, 'main.js');

/**
 * Runs a built program in this process, or the command that it is in one of its own.
 *
 * @param {ChosenProgram} program
 */
export async function runHere(program) {
  if (program.bin !== undefined) {
    process.exitCode = await runApart(program);
    return;
  }
  // the program reads its arguments where every program does
  process.argv.splice(1, Infinity, builtMain(program), ...program.args);
  await import(pathToFileURL(builtMain(program)).href);
}

/**
 * Runs them one after the other, each in a process of its own, whatever became of those before; says what each came to.
 *
 * @param {readonly ChosenProgram[]} programs
 * @returns {Promise<number>} the exit code: 1 where one failed
 */
export async function runEach(programs) {
  const lines = [];
  let isWrong = false;
  for (const program of programs) {
    const begun = Date.now();
    const code = await runApart(program);
    isWrong ||= code !== 0;
    lines.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${program.name} (${((Date.now() - begun) / 1_000).toFixed(1)} s)`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return isWrong ? 1 : 0;
}

/**
 * @param {ChosenProgram} program
 * @returns {Promise<number>} its exit code
 */
function runApart(program) {
  const [command, ...args] = program.bin ?? [process.execPath, builtMain(program)];
  const path = program.bin === undefined ? command : join(root, 'node_modules/.bin', command);
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...args, ...program.args], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32' && program.bin !== undefined,
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
