import { useTestApi, type TestApi } from '@duework/http/testing';
import { catalog } from '@duework/shop';
import { createProgram } from '../create-program.js';
import type { ProgramParts } from '../program-parts.js';
import { programParts } from './program-parts.js';

export type Place = 'api' | 'database';

export interface RanCommand {
  readonly code: number;
  /** What it wrote to stdout. */
  readonly out: string;
  /** What it told people who wait. */
  readonly told: string;
}

export interface TestProgram {
  readonly api: TestApi;
  /** Runs a command on the API, without a database and a module of jobs, or on its database; rejects with its refusal. */
  run(where: Place, ...args: string[]): Promise<RanCommand>;
  runWith(given: Partial<ProgramParts>, where: Place, ...args: string[]): Promise<RanCommand>;
}

/** The program beside a real API on a database of its own, for one test file. */
export function useProgram(): TestProgram {
  const api = useTestApi();
  async function runWith(given: Partial<ProgramParts>, where: Place, ...args: string[]): Promise<RanCommand> {
    let [code, out, told] = [0, '', ''];
    const place =
      where === 'api'
        ? { api: () => ({ url: api.url, key: undefined }) }
        : { db: async () => api.db, databaseUrl: () => api.databaseUrl, catalog };
    const program = createProgram(
      programParts({
        ...place,
        exitWith: (ended) => (code = ended),
        write: (text) => (out += text),
        progress: (text) => (told += text),
        now: () => new Date(),
        ...given,
      }),
    );
    program.configureOutput({ writeErr: () => {} });
    await program.parseAsync(args, { from: 'user' });
    return { code, out, told };
  }
  return { api, runWith, run: (where, ...args) => runWith({}, where, ...args) };
}
