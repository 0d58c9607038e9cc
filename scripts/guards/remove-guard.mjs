import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';

/** A source without a guard; the text that is taken out has to be in it exactly once. */
export function withoutGuard(source, { file, find, replace }, guard) {
  const count = source.split(find).length - 1;
  if (count !== 1) {
    throw new PlainError(
      `The guard ${guard} is no longer where it was: ${file} has ${count} times\n  ${find}\nSay in scripts/guards how it is taken out now.`,
    );
  }
  return source.replace(find, () => replace);
}

/** Takes a guard out of the tree in `dir`; returns what puts it back. */
export function removeGuard(dir, { name, edits }) {
  const before = new Map();
  const restore = () => {
    for (const [path, source] of before) writeFileSync(path, source);
  };
  try {
    for (const edit of edits) {
      const path = join(dir, edit.file);
      const source = readFileSync(path, 'utf8');
      if (!before.has(path)) before.set(path, source);
      writeFileSync(path, withoutGuard(source, edit, name));
    }
  } catch (error) {
    restore();
    throw error;
  }
  return restore;
}
