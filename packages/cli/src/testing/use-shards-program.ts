import { connectPg } from '@duework/database';
import type { Catalog } from '@duework/contracts';
import type { ShardUrls } from '@duework/shards';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll } from '@jest/globals';
import { createProgram } from '../create-program.js';
import type { ProgramParts } from '../program-parts.js';
import { programParts } from './program-parts.js';
import type { RanCommand } from './use-program.js';

/** A shard whose database is away, beside the two that are there. */
export const NOWHERE: ShardUrls = { c: 'postgres://duework@127.0.0.1:1/nowhere' };

export interface ShardsProgram {
  readonly a: ReturnType<typeof useTestDatabase>;
  readonly b: ReturnType<typeof useTestDatabase>;
  /** Runs a command over both; `more`: shards beside them. Rejects with its refusal. */
  run(args: readonly string[], more?: ShardUrls, given?: Partial<ProgramParts>): Promise<RanCommand>;
}

/** The program over two databases, for one test file. */
export function useShardsProgram(catalog: Catalog): ShardsProgram {
  const [a, b] = [useTestDatabase(), useTestDatabase()];
  const away = connectPg({ url: NOWHERE['c']! });
  afterAll(() => away.$disconnect());
  return {
    a,
    b,
    async run(args, more = {}, given = {}) {
      let [code, out, told] = [0, '', ''];
      const program = createProgram(
        programParts({
          catalog,
          shards: () => ({ a: a.url, b: b.url, ...more }),
          shardDb: async (name) => (name === 'a' ? a.db : name === 'b' ? b.db : away),
          exitWith: (ended) => (code = ended),
          write: (text) => (out += text),
          progress: (text) => (told += text),
          ...given,
        }),
      );
      program.configureOutput({ writeErr: () => {} });
      await program.parseAsync([...args], { from: 'user' });
      return { code, out, told };
    },
  };
}
