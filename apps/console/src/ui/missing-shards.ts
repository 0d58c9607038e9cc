import { texts } from '../texts/texts.js';

/** The shards whose part is missing in an answer of the API, by name; none of an API over one database. */
export function missingIn(answer: unknown): readonly string[] {
  const { problems } = (answer ?? {}) as { readonly problems?: unknown };
  if (!Array.isArray(problems)) return [];
  return problems.flatMap(({ shard }: { readonly shard?: unknown }) => (typeof shard === 'string' ? [shard] : []));
}

/** What a toast says beside its title where a change was not made in each shard; it stays until it is closed. */
export function notDoneIn(answer: unknown): { readonly description?: string; readonly timeout?: number } {
  const missing = missingIn(answer);
  return missing.length === 0 ? {} : { description: texts.states.notDoneIn(missing), timeout: 0 };
}
