import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OURS = /"(duework|@duework\/[\w-]+)": "\^[^"]+"/g;

/** Lets every package.json of the template ask for the packages of this release: they are released together. */
export function setTemplateVersions(template: string, version: string): void {
  for (const path of readdirSync(template, { recursive: true, encoding: 'utf8' })) {
    if (!/(^|[\\/])package\.json$/.test(path)) continue;
    const file = join(template, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(OURS, `"$1": "^${version}"`));
  }
}
