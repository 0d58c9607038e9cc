import { DatabaseError } from '../../database-error.js';
import { splitStatements } from '../split-statements.js';
import type { PrintedFile, PrintedMigration } from './printed-file.js';

interface Journal {
  readonly version: string;
  readonly dialect: string;
  readonly entries: readonly { readonly idx: number; readonly when: number; readonly tag: string }[];
}

const EMPTY: Journal = { version: '7', dialect: 'postgresql', entries: [] };

/**
 * The files of drizzle-kit's custom migrations, and its journal with them at its end. Drizzle runs what is younger than the
 * last one that it ran, so they come after all that the journal has.
 */
export function printForDrizzle(
  printed: readonly PrintedMigration[],
  at: Date,
  text: string | undefined,
): readonly PrintedFile[] {
  const journal = text === undefined ? EMPTY : readJournal(text);
  const last = journal.entries.at(-1);
  const begin = Math.max(at.getTime(), (last?.when ?? 0) + 1);
  const entries = printed.map(({ label }, index) => {
    const idx = (last?.idx ?? -1) + 1 + index;
    const tag = `${String(idx).padStart(4, '0')}_${label}`;
    return { idx, version: journal.version, when: begin + index, tag, breakpoints: true };
  });
  return [
    ...printed.map(({ sql }, index) => ({
      path: `${entries[index]?.tag ?? ''}.sql`,
      text: `${splitStatements(sql).join(';\n--> statement-breakpoint\n')};\n`,
    })),
    {
      path: 'meta/_journal.json',
      text: JSON.stringify({ ...journal, entries: [...journal.entries, ...entries] }, null, 2),
    },
  ];
}

function readJournal(text: string): Journal {
  try {
    const journal = JSON.parse(text) as Journal;
    if (journal.dialect === 'postgresql' && Array.isArray(journal.entries)) return journal;
  } catch {
    // said below
  }
  throw new DatabaseError('migration_folder_unusable', {
    problem: "meta/_journal.json is not Drizzle's journal of migrations for PostgreSQL.",
    fix: 'Name the folder that drizzle-kit writes (out in drizzle.config.ts).',
  });
}
