import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isAlive } from '../../../kit/data-dirs.js';
import { toolPath } from '../../../kit/tool-path.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { removeLeftovers } from './remove-leftovers.js';

/** Starts a torture up to its disk, where mounting is allowed, with a frozen process. */
const MAKE_DISK = `
  const { makeDataDir } = await import('${toolPath('kit/data-dirs.js')}');
  const { mountSmallDisk } = await import('${toolPath('break/torture/servers/mount-small-disk.js')}');
  const dir = makeDataDir('torture');
  mountSmallDisk(dir + '/disk', 1);
  const { spawn } = await import('node:child_process');
  const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)', dir], { stdio: 'ignore' });
  worker.kill('SIGSTOP');
  process.stdout.write(JSON.stringify({ dir, pid: worker.pid }));
  setInterval(() => {}, 1_000);
`;

test('the next torture removes everything that a killed one has left, its mounted disk and its frozen workers included', async () => {
  const killed = spawn(process.execPath, ['--input-type=module', '-e', MAKE_DISK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(killed.stdout, 'data')) as [Buffer];
  const { dir, pid } = JSON.parse(said.toString()) as { dir: string; pid: number };
  expect(existsSync(`${dir}/disk`)).toBe(true);
  killed.kill('SIGKILL');
  await once(killed, 'close');

  removeLeftovers();

  expect(existsSync(dir)).toBe(false);
  await waitUntil('The frozen process had not ended', () => !isAlive(pid));
});
