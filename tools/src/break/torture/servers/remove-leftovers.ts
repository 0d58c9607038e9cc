import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findLeftovers, removeDir } from '../../../kit/data-dirs.js';
import { endProcessesAbout } from '../../../kit/end-processes-about.js';
import { endLeftoverPgBouncer } from '../../../kit/servers/start-pgbouncer.js';
import { stopPostgresNow } from '../../../kit/servers/stop-postgres-now.js';
import { unmountDisk } from './mount-small-disk.js';

/** The folders of runs, whose folders are those of their servers. */
const PURPOSES = ['torture', 'shards-torture'];

/**
 * Removes what killed tortures have left: their servers, their frozen workers, their small disks, their folders. A
 * thing that cannot be removed is reported and left, because it harms nobody.
 */
export function removeLeftovers(): void {
  for (const dir of PURPOSES.flatMap(findLeftovers)) {
    try {
      const disks = readdirSync(dir).map((name) => join(dir, name));
      for (const disk of disks) stopPostgresNow(join(disk, 'postgres'));
      endLeftoverPgBouncer(dir);
      // a worker that was frozen when its lab was killed never learns of it
      endProcessesAbout(dir);
      for (const disk of disks) unmountDisk(disk);
      removeDir(dir);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${dir} was left by a torture that was killed, and can't be removed: ${why}\n`);
    }
  }
}
