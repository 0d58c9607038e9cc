import type { Catalog } from '@duework/contracts';
import { afterAll } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { createProgram } from '../../create-program.js';
import type { ProgramParts } from '../../program-parts.js';
import { programParts } from '../../testing/program-parts.js';
import type { MovePlan } from '../plan-move.js';
import type { MoveReport } from '../show-move.js';

/** A database and the command on it, for tests of moves. */
export function useMoves(catalog: Catalog) {
  const closing: (() => Promise<unknown>)[] = [];
  // before the database is dropped
  afterAll(async () => {
    for (const close of closing) await close();
  });
  const database = useTestDatabase();
  async function run(args: readonly string[], given: Partial<ProgramParts> = {}) {
    let [code, out, told] = [0, '', ''];
    const program = createProgram(
      programParts({
        catalog,
        db: async () => database.db,
        exitWith: (ended) => (code = ended),
        write: (text) => (out += text),
        progress: (text) => (told += text),
        ...given,
      }),
    );
    program.configureOutput({ writeErr: () => {} });
    await program.parseAsync(['move', ...args], { from: 'user' });
    return { code, out, told };
  }
  return {
    database,
    run,
    /** What is closed at the end. */
    atEnd: (close: () => Promise<unknown>): void => void closing.push(close),
    plan: async (...args: string[]) => JSON.parse((await run([...args, '--dry-run', '--json'])).out) as MovePlan,
    move: async (...args: string[]) => JSON.parse((await run([...args, '--yes', '--json'])).out) as MoveReport,
  };
}
