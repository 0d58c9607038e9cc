import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes left on a disk that is "full": less than a page of WAL. */
const BALLAST_STEP = 1024 * 1024;
const PAGE = 4_096;

export interface SmallDisk {
  fill(): void;
  free(): void;
  unmount(): void;
}

/**
 * A small file system of its own, in memory, which can be filled without harm. Null where mounting is not allowed: it
 * takes root on Linux.
 *
 * @param dir the folder at which it is mounted
 */
export function mountSmallDisk(dir: string, megabytes: number): SmallDisk | null {
  mkdirSync(dir, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', dir], {
    stdio: 'ignore',
  });
  if (mounted.status !== 0) return null;
  const ballast = join(dir, 'ballast');
  return {
    fill() {
      const { bavail, bsize } = statfsSync(dir);
      const free = Math.floor((bavail * bsize) / BALLAST_STEP) * BALLAST_STEP;
      try {
        writeFileSync(ballast, Buffer.alloc(BALLAST_STEP), { flag: 'w' });
        for (let written = BALLAST_STEP; written <= free; written += BALLAST_STEP)
          writeFileSync(ballast, Buffer.alloc(BALLAST_STEP), { flag: 'a' });
        for (;;) writeFileSync(ballast, Buffer.alloc(PAGE), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => truncateSync(ballast, 0),
    unmount: () => unmountDisk(dir),
  };
}

/**
 * Unmounts lazily: the processes that still write there are about to be ended. Where nothing is mounted it does
 * nothing.
 */
export function unmountDisk(dir: string): void {
  spawnSync('umount', ['-l', dir], { stdio: 'ignore' });
}
