import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../scripts/lib/paths.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

/** A torture as far as its disk, where mounting is allowed. */
const MAKE_DISK = `
  const { makeDataDir } = await import('${join(root, 'scripts/lib/data-dirs.mjs')}');
  const { mountSmallDisk } = await import('${join(import.meta.dirname, 'mount-small-disk.mjs')}');
  const dir = makeDataDir('torture');
  mountSmallDisk(dir + '/disk', 1);
  process.stdout.write(dir);
  setInterval(() => {}, 1_000);
`;

test('a torture that was killed leaves nothing that the next one cannot remove, its mounted disk included', async () => {
  const killed = spawn(process.execPath, ['--input-type=module', '-e', MAKE_DISK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(killed.stdout, 'data');
  const dir = String(said);
  expect(existsSync(join(dir, 'disk'))).toBe(true);
  killed.kill('SIGKILL');
  await once(killed, 'close');

  await removeLeftovers();

  expect(existsSync(dir)).toBe(false);
});
