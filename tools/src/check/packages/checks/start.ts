import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import type { Check } from '../../../kit/run-packed.js';

/** What each loads of its package before it does anything. A thread and the command begin with a file that loads the next one. */
const BUDGETS: Readonly<Record<string, { readonly files: number; readonly kilobytes: number }>> = {
  'worker.js': { files: 17, kilobytes: 506 },
  'lease-thread.js': { files: 7, kilobytes: 20 },
  'command.js': { files: 29, kilobytes: 319 },
};
const IMPORT = /^(?:import|export)\s(?:[^"]*from )?"(\.[^"]+)";$/gm;
const NEXT = /^(?:await )?import\("(\.[^"]+)"\);$/gm;

export const start: Check = {
  name: 'start',
  words: 'a worker, its thread and the command load no more files at their start than they need',
  isQuick: true,
  run: async ({ packed }) => {
    const { folder } = packed.find(({ name }) => name === 'duework')!;
    const lines = Object.entries(BUDGETS).map(([entry, budget]) => {
      const loaded = loadedBy(join(folder, 'dist', entry));
      const kilobytes = [...loaded.values()].reduce((sum, { length }) => sum + length, 0) / 1_000;
      return {
        text: `${entry}: ${loaded.size} files of ${budget.files}, ${kilobytes.toFixed(0)} kB of ${budget.kilobytes}`,
        isOver: loaded.size > budget.files || kilobytes > budget.kilobytes,
      };
    });
    if (lines.some(({ isOver }) => isOver)) throw new PlainError(lines.map(({ text }) => text).join('\n'));
    return lines.map(({ text }) => text).join('\n');
  },
};

/** The text of each file, by its path. */
function loadedBy(path: string, loaded = new Map<string, string>()): ReadonlyMap<string, string> {
  if (loaded.has(path)) return loaded;
  const text = readFileSync(path, 'utf8');
  loaded.set(path, text);
  for (const [, to] of [...text.matchAll(IMPORT), ...text.matchAll(NEXT)])
    loadedBy(normalize(join(dirname(path), to!)), loaded);
  return loaded;
}
