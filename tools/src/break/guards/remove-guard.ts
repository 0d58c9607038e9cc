import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { findText } from './find-text.js';
import type { Guard, GuardEdit } from './guard.js';

/**
 * A source without a guard.
 *
 * @param guard its name, for the message
 * @throws PlainError when it is not where it is said to be
 */
export function withoutGuard(source: string, { file, find, replace }: GuardEdit, guard: string): string {
  const found = findText(source, find);
  if (typeof found === 'string') throw moved(guard, `${file} ${found}`);
  const text = source.slice(found.start, found.end);
  if (replace === text) throw moved(guard, `what stands in ${file} instead is the same\n  ${find}`);
  return `${source.slice(0, found.start)}${replace}${source.slice(found.end)}`;
}

const moved = (guard: string, what: string): PlainError =>
  new PlainError(
    `The guard ${guard} is no longer where it was: ${what}\nSay in tools/src/break/guards/list how it is taken out now.`,
  );

/** Takes a guard out of the tree in `dir`; returns what puts it back. */
export function removeGuard(dir: string, { name, edits }: Guard): () => void {
  const before = new Map<string, string>();
  const restore = (): void => {
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
