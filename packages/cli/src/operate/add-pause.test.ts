import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { addPause } from './add-pause.js';

/** Runs the command beside one worker, which serves the queue `default`; returns what was paused. */
async function pause(...args: string[]): Promise<string[]> {
  const paused: string[] = [];
  const operations = {
    readWorkers: async () => [{ queues: ['default'], types: [{ type: 'send_invoice' }] }],
    pause: async ({ kind, name }: { kind: string; name: string }) => void paused.push(`${kind} ${name}`),
  };
  const parts = { operations: () => operations, now: () => new Date(0), write: () => {} } as never as CommandParts;
  const program = new Command().exitOverride();
  addPause(program, parts);
  await program.parseAsync(['pause', ...args], { from: 'user' });
  return paused;
}

test('a name that no live worker knows is refused, with those that it knows, and paused where that is meant', async () => {
  expect(await pause('queue', 'default')).toEqual(['queue default']);
  expect(await pause('type', 'send_invoice')).toEqual(['type send_invoice']);
  await expect(pause('queue', 'defualt')).rejects.toThrow(
    'No running worker knows a queue defualt, only default. To pause it anyway, add --unknown.',
  );
  await expect(pause('type', 'default')).rejects.toMatchObject({ code: 'unknown_name' });
  expect(await pause('queue', 'later', '--unknown')).toEqual(['queue later']);
});
