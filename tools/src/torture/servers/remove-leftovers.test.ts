import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { toolPath } from '../../kit/tool-path.js';
import { removeLeftovers } from './remove-leftovers.js';

/** A torture as far as its disk, where mounting is allowed. */
const MAKE_DISK = `
  const { makeDataDir } = await import('${toolPath('kit/data-dirs.js')}');
  const { mountSmallDisk } = await import('${toolPath('torture/servers/mount-small-disk.js')}');
  const dir = makeDataDir('torture');
  mountSmallDisk(dir + '/disk', 1);
  process.stdout.write(dir);
  setInterval(() => {}, 1_000);
`;

test('a torture that was killed leaves nothing that the next one cannot remove, its mounted disk included', async () => {
  const killed = spawn(process.execPath, ['--input-type=module', '-e', MAKE_DISK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(killed.stdout, 'data')) as [Buffer];
  const dir = said.toString();
  expect(existsSync(`${dir}/disk`)).toBe(true);
  killed.kill('SIGKILL');
  await once(killed, 'close');

  removeLeftovers();

  expect(existsSync(dir)).toBe(false);
});
