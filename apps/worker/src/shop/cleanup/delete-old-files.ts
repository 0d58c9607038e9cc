import { lstat, opendir, realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes the regular files below `dir` that were last changed before `before`, and returns how many. Folders stay, and
 * so does everything that a symbolic link leads to: links are neither followed nor deleted. A file that is gone already
 * is no error; when one cannot be deleted, the others still are, and its error is thrown at the end.
 */
export async function deleteOldFiles(dir: string, before: Date, signal: AbortSignal): Promise<number> {
  let root: string;
  try {
    root = await realpath(dir);
  } catch (error) {
    // no file was ever written there
    if (isGone(error)) return 0;
    throw error;
  }
  const errors: unknown[] = [];
  const deleted = await deleteBelow(root, before, signal, errors);
  if (errors.length > 0) throw errors[0];
  return deleted;
}

async function deleteBelow(folder: string, before: Date, signal: AbortSignal, errors: unknown[]): Promise<number> {
  let deleted = 0;
  try {
    // a folder that became a link after its parent was read leads elsewhere
    if ((await realpath(folder)) !== folder) return 0;
    for await (const entry of await opendir(folder)) {
      signal.throwIfAborted();
      const path = join(folder, entry.name);
      if (entry.isDirectory()) deleted += await deleteBelow(path, before, signal, errors);
      else if (entry.isFile() && (await deleteFile(path, before, errors))) deleted++;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!isGone(error)) errors.push(error);
  }
  return deleted;
}

async function deleteFile(path: string, before: Date, errors: unknown[]): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.mtime >= before) return false;
    await unlink(path);
    return true;
  } catch (error) {
    if (!isGone(error)) errors.push(error);
    return false;
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
