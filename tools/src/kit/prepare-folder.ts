import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What a folder was filled with, and in which database of its server. */
export interface Filled {
  readonly percent: number;
  readonly database: string;
}

export interface Folder {
  readonly dir: string;
  /** null: it has to be filled. */
  readonly filled: Filled | null;
  /** Writes down that it has been filled, for the next run that is given the folder. */
  keep(filled: Filled): void;
  /** Removes it, unless it is to be kept. */
  end(): Promise<void>;
}

/** The folder that is to be kept, made where there is none, or one for this run of the program alone. */
export function prepareFolder(program: string, kept: string | undefined): Folder {
  if (kept !== undefined) mkdirSync(kept, { recursive: true });
  const dir = kept === undefined ? mkdtempSync(join(tmpdir(), `duework-${program}-`)) : resolve(kept);
  const note = join(dir, 'filled.json');
  return {
    dir,
    filled: existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Filled) : null,
    keep: (filled) => writeFileSync(note, JSON.stringify(filled)),
    end: async () => {
      if (kept === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}
