import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { ObjectStore } from './object-store.js';

/** What is being written, or was when its process ended. */
const UNFINISHED = '.part';

/**
 * A store in a folder, which every program of the queue must see: one disk, or a network's. A file is written under another
 * name, synced, and renamed, so that none is ever half there. It is made where it is missing.
 */
export function folderStore(folder: string): ObjectStore {
  return {
    async put(key, content, { signal }) {
      const path = join(folder, key);
      const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
      await mkdir(dirname(path), { recursive: true });
      const file = await open(unfinished, 'wx');
      try {
        for await (const chunk of content) {
          signal.throwIfAborted();
          // all of it: write may take a part
          await file.appendFile(chunk as Buffer);
        }
        await file.sync();
        await file.close();
        await rename(unfinished, path);
      } catch (error) {
        await file.close().catch(() => {});
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
    },
    async get(key, { signal }) {
      const path = join(folder, key);
      const isThere = await stat(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return false;
        },
      );
      if (isThere) return createReadStream(path, { signal });
      // a folder that is not mounted has no objects either, and that is an outage
      await stat(folder);
      return null;
    },
    async delete(keys) {
      await Promise.all(keys.map((key) => rm(join(folder, key), { force: true })));
    },
    async *list(prefix, { signal }) {
      for (const name of await readdir(join(folder, prefix), { recursive: true }).catch(none)) {
        signal.throwIfAborted();
        const key = `${prefix}${name.split(sep).join('/')}`;
        const found = await stat(join(folder, key)).catch(() => null);
        if (found?.isFile() === true) yield { key, putAt: found.mtime };
      }
    },
  };
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

/** So that the new name survives a loss of power; where a folder cannot be opened for that, it is not needed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
