import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { findLeftovers, removeDir } from '../../scripts/lib/data-dirs.mjs';
import { unmountDisk } from './mount-small-disk.mjs';
import { endLeftoverPgBouncer } from './start-pgbouncer.mjs';

const { stopEmbeddedPostgres } = await import(join(root, 'packages/database/dist/embedded/index.js'));

/**
 * Removes what tortures that were killed have left: their servers, their small disks, their folders. What can't be removed
 * is told and left, because it is in nobody's way.
 */
export async function removeLeftovers() {
  for (const dir of findLeftovers('torture')) {
    const disk = join(dir, 'disk');
    try {
      await stopEmbeddedPostgres({ dataDir: join(disk, 'postgres') });
      endLeftoverPgBouncer(dir);
      unmountDisk(disk);
      removeDir(dir);
    } catch (error) {
      process.stderr.write(`${dir} was left by a torture that was killed, and can't be removed: ${error.message}\n`);
    }
  }
}
