import type { CommandParts } from '../program-parts.js';

interface Missing {
  readonly shard: string;
  readonly problem: string;
  readonly code?: string;
}

/** Tells which shards are missing in an answer of an API, each once; the command then ends with 1. */
export function tellMissing({ progress, exitWith }: Pick<CommandParts, 'progress' | 'exitWith'>) {
  const told = new Set<string>();
  return (answer: unknown): void => {
    const { problems } = (answer ?? {}) as { readonly problems?: readonly Missing[] };
    if (!Array.isArray(problems) || problems.length === 0) return;
    for (const { shard, problem, code } of problems as readonly Missing[]) {
      const line = `Shard ${shard} is missing in this: ${code ?? problem}.\n`;
      if (!told.has(line)) progress(line);
      told.add(line);
    }
    exitWith(1);
  };
}
