import { expect, test } from '@jest/globals';
import { runCommand } from './run-command.js';

test('a command that takes too long is killed with what it has started, which has its output open, and its words are told', async () => {
  const script = 'echo begun; sleep 600 & wait';
  await expect(runCommand('sh', ['-c', script], { cwd: '/', limitMs: 500 })).rejects.toThrow(
    `begun\nsh -c ${script} failed (SIGKILL).`,
  );
});
