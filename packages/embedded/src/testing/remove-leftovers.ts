import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../is-alive.js';
import { stopEmbeddedPostgres } from '../stop-embedded-postgres.js';
import { findTestParentDir, testDirPrefix } from '@duework/database/testing';

/** Stops the servers and removes the folders of test runs that were killed and so could not clean up. */
export async function removeLeftovers(nativeDir: string | undefined): Promise<void> {
  const parent = findTestParentDir();
  for (const folder of readdirSync(parent)) {
    if (!folder.startsWith(testDirPrefix)) continue;
    if (isAlive(Number(folder.slice(testDirPrefix.length).split('-')[0]))) continue;
    const dir = join(parent, folder);
    await stopEmbeddedPostgres({ dataDir: join(dir, 'data'), nativeDir });
    rmSync(dir, { recursive: true, force: true });
  }
}
