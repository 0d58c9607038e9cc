import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Puts a mail on disk so that a crash right after cannot lose it: written under a temporary name, fsynced, renamed,
 * and the folder fsynced too, because the rename is an entry of the folder. A crash before the rename leaves a `.tmp`
 * file that no list shows; its client never got an answer and sends again. Rejects when the disk refuses, and then
 * leaves nothing behind.
 */
export async function writeMail(dir: string, id: string, content: Uint8Array): Promise<void> {
  // Somebody may have removed the folder while the mailbox was running.
  await mkdir(dir, { recursive: true });
  const temporary = join(dir, `${id}.tmp`);
  try {
    await writeDurably(temporary, content);
    await rename(temporary, join(dir, `${id}.eml`));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dir);
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(dir: string): Promise<void> {
  // Windows does not open folders; its file system writes the entry itself.
  if (process.platform === 'win32') return;
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
