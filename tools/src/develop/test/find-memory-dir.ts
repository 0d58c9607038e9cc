import { statfsSync } from 'node:fs';

const DIR = '/dev/shm';
/** More than all databases of a test run take at once. */
const LEAST_BYTES = 8 * 1024 ** 3;

/**
 * A folder in memory with room for the servers of a test run: each test file clones a database, which is some hundred files,
 * and takes a third of the time there. null: there is none.
 */
export function findMemoryDir(): string | null {
  try {
    const { bavail, bsize } = statfsSync(DIR);
    return bavail * bsize >= LEAST_BYTES ? DIR : null;
  } catch {
    return null;
  }
}
