import { ApiError } from '../api-error.js';
import { MISTYPED } from '../access/authorize/authorize-by-key.js';
import type { AccessRefusal, Authorize } from '../access/authorize/authorize.js';
import type { Principal } from '../access/principal.js';
import type { ShardGate } from './shard-gate.js';

/** A shard, and who knows the keys that are kept in it. */
export interface KeyShard {
  readonly name: string;
  readonly gate: ShardGate;
  readonly authorize: Authorize;
}

const LIMIT_MS = 1_000;

/**
 * Knows a key that any shard has. All are asked at once, and the first that knows it decides: one that is away locks nobody
 * out whose key is in another. Throws `database_away` where no shard that answers knows the key, and some do not answer.
 */
export function authorizeInShards(shards: readonly KeyShard[]): Authorize {
  return async (request, caller) => {
    if (!request.headers.has('authorization')) return null;
    const asked = shards.map(async ({ name, gate, authorize }): Promise<Told> => {
      const told = await gate.ask(() => authorize(request, caller), LIMIT_MS).catch(() => 'failed' as const);
      return typeof told === 'string' ? { away: name } : { decided: told.answer };
    });
    const known = await firstThatKnows(asked);
    if (known !== undefined) return known;
    const told = await Promise.all(asked);
    const away = told.flatMap((one) => ('away' in one ? [one.away] : []));
    // whatever no shard takes for a key at all is not one
    const unknown = told.find((one): one is Decided => 'decided' in one && one.decided !== null);
    const isNone = told.some((one) => 'decided' in one && (one.decided === null || one.decided === MISTYPED));
    if (away.length === 0 || isNone) return unknown?.decided ?? null;
    throw new ApiError(
      'database_away',
      `Cannot check these credentials: the shard ${away.join(', ')} does not answer, and no other shard knows them.`,
      { headers: { 'Retry-After': '1' } },
    );
  };
}

interface Decided {
  readonly decided: Principal | AccessRefusal | null;
}
type Told = Decided | { readonly away: string };

/** `invalid_credentials` is what a shard says of a key that it does not have. */
function knows(told: Told): told is { readonly decided: Principal | AccessRefusal } {
  if ('away' in told || told.decided === null) return false;
  return !('code' in told.decided) || told.decided.code !== 'invalid_credentials';
}

/** undefined: none knows it. */
async function firstThatKnows(asked: readonly Promise<Told>[]): Promise<Principal | AccessRefusal | undefined> {
  try {
    return await Promise.any(
      asked.map(async (one) => {
        const told = await one;
        if (knows(told)) return told.decided;
        throw new Error('unknown');
      }),
    );
  } catch {
    return undefined;
  }
}
