import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a start has put into a clone. The same on every machine of one kind. */
export interface StartCounts {
  /** Packages that pnpm has installed. */
  readonly packages: number;
  /** Files of JavaScript that were built, the console aside. */
  readonly files: number;
}

/** @throws where no start was built in this folder */
export function readCounts(clone: string): StartCounts {
  const installed = readdirSync(join(clone, 'node_modules/.pnpm'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  );
  const { files } = JSON.parse(readFileSync(join(clone, 'node_modules/.duework-built.json'), 'utf8')) as StartCounts;
  return { packages: installed.length, files };
}
