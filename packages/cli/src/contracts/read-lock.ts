import { readFile } from 'node:fs/promises';
import { type ContractsLock, parseLock } from '@duework/contracts';

export const LOCK_FILE = 'contracts.lock.json';

/** The lock in a file; null: there is no such file. Throws `ContractError` (`lock_invalid`), which names the file. */
export async function readLock(file: string): Promise<ContractsLock | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return parseLock(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
