import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog, ContractsLock } from '@duework/contracts';
import { describeContract } from './describe-contract.js';

/** Writes a page for each type, and returns the files. What else is in the folder stays. */
export async function writeDocs(dir: string, catalog: Catalog, lock: ContractsLock): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  return Promise.all(
    catalog.map(async (contract) => {
      const file = join(dir, `${contract.type}.md`);
      await writeFile(file, describeContract(contract, lock));
      return file;
    }),
  );
}
