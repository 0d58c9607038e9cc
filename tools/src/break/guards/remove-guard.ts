import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { findRegion, type Region } from './find-region.js';
import { findText } from './find-text.js';
import type { Guard, GuardEdit, RegionEdit, TextEdit } from './guard.js';

/**
 * A source without a guard.
 *
 * @param guard its name, for the message
 * @throws PlainError when it is not where it is said to be
 */
export function withoutGuard(source: string, edit: GuardEdit, guard: string): string {
  return 'region' in edit ? replaceRegion(source, edit, guard) : replaceText(source, edit, guard);
}

function replaceRegion(source: string, { file, region, replace }: RegionEdit, guard: string): string {
  const found = findRegion(source, region);
  if (typeof found === 'string') throw moved(guard, `${file} ${found}`);
  const same = moved(guard, `what stands there instead of "${region}" in ${file} is the same`);
  return replaceBetween(source, { start: found.start, end: found.end - 1 }, replace, same);
}

function replaceText(source: string, { file, find, replace }: TextEdit, guard: string): string {
  const found = findText(source, find);
  if (typeof found === 'string') throw moved(guard, `${file} ${found}`);
  return replaceBetween(
    source,
    found,
    replace,
    moved(guard, `what stands there instead of a text in ${file} is the same`),
  );
}

function replaceBetween(source: string, { start, end }: Region, replace: GuardEdit['replace'], same: Error): string {
  const text = source.slice(start, end).trim();
  const instead = typeof replace === 'string' ? replace : replace(text);
  if (instead === text) throw same;
  return `${source.slice(0, start)}${instead}${source.slice(end)}`;
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
