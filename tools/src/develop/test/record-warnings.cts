/**
 * Loaded before anything else, by NODE_OPTIONS, in jest's workers and in every process and thread that a test starts:
 * writes down each warning of the process, for the environment of the test file to find. It writes a file, and at
 * once, because a child that is killed a moment later has no other way to tell.
 */
import fs = require('node:fs');
import threads = require('node:worker_threads');

/** Warnings of others that nobody can avoid, and why. */
const UNAVOIDABLE: readonly { readonly name: string; readonly message: RegExp }[] = [
  // jest loads native ES modules by it, and there is no other way
  // jest takes the globals of a test file away when it ends, and Prisma's client looks at one of them later
  { name: 'DeprecationWarning', message: /property was accessed on .* after it was soft deleted/ },
  { name: 'ExperimentalWarning', message: /^VM Modules is an experimental feature/ },
];

process.on('warning', (warning: Error & { readonly code?: string }) => {
  const file = process.env['DUEWORK_TEST_WARNINGS'];
  const { name, code = '', message, stack = '' } = warning;
  if (!file || UNAVOIDABLE.some((each) => each.name === name && each.message.test(message))) return;
  const what = `${name}${code && ` ${code}`}: ${message}`;
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  const where = `${threads.isMainThread ? 'process' : 'thread of process'} ${process.pid}: ${process.argv.slice(1).join(' ').slice(0, 200)}`;
  fs.appendFileSync(file, `${JSON.stringify({ what, stack: frames.join('\n'), where })}\n`);
});
