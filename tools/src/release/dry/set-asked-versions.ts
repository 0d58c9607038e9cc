import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OURS = /"(duework|@duework\/[\w-]+)": "\^[^"]+"/g;

/** Lets every package.json below a folder of projects ask for the packages of this release: they are released together. */
export function setAskedVersions(folder: string, version: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') setAskedVersions(path, version);
    if (entry.name !== 'package.json') continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(OURS, `"$1": "^${version}"`));
  }
}
