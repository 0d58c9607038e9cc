import { existsSync, readdirSync, statSync } from 'node:fs';

/** A repository may have been made first. */
const HARMLESS = new Set(['.git', '.gitkeep', '.DS_Store']);

/** Throws, in one line, where the folder holds anything that might be overwritten. */
export function checkTarget(dir: string): void {
  if (!existsSync(dir)) return;
  if (!statSync(dir).isDirectory()) throw new Error(`${dir} is not a folder.`);
  const found = readdirSync(dir).find((name) => !HARMLESS.has(name));
  if (found !== undefined)
    throw new Error(`${dir} is not empty: it has ${found}. For a project that exists there is: npx duework init`);
}
