import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isPassing, type ApiError } from '../api/api-error.js';
import { texts } from '../texts/texts.js';
import { AwayIcon } from '../ui/icons.js';
import { useMissingShards } from './use-missing-shards.js';

const SLOW_MS = 3_000;
const AGAIN_MS = 3_000;

/** Says above the screen when what it shows cannot be kept fresh, and why; it asks again until it can. */
export function ConnectionBar() {
  const away = useAway();
  const slowSeconds = useSlowSeconds();
  const missing = useMissingShards();
  const words =
    away !== null
      ? describe(away)
      : missing.length > 0
        ? texts.states.missingShards(missing)
        : slowSeconds > 0
          ? texts.states.slow(slowSeconds)
          : null;
  return (
    <div role="status">
      {words !== null && (
        <p className="flex items-center gap-2 border-b border-failed/30 bg-failed-wash px-4 py-1.5 text-failed">
          <AwayIcon className="shrink-0" />
          {words}
        </p>
      )}
    </div>
  );
}

function describe({ code }: ApiError): string {
  const words = texts.states;
  if (code === 'unreachable') return `${words.unreachable}. ${words.unreachableFix}`;
  if (code === 'rate_limited') return `${words.limited}. ${words.limitedFix}`;
  if (code === 'redis_away') return `${words.redis}. ${words.redisFix}`;
  return `${words.database}. ${words.databaseFix}`;
}

/** Why the newest answers are missing; null: they are not. */
function useAway(): ApiError | null {
  const client = useQueryClient();
  const [away, setAway] = useState<ApiError | null>(null);
  useEffect(() => {
    const look = (): void => {
      const failed = client
        .getQueryCache()
        .findAll({ type: 'active' })
        .map(({ state }) => state.error ?? state.fetchFailureReason)
        .find(isPassing);
      setAway(failed ?? null);
    };
    return client.getQueryCache().subscribe(look);
  }, [client]);
  useEffect(() => {
    if (away === null) return;
    const again = setInterval(() => {
      if (!document.hidden)
        void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    }, AGAIN_MS);
    return () => clearInterval(again);
  }, [away, client]);
  return away;
}

/** For how many seconds something has been asked for without an answer, from the third on; 0: nothing has. */
function useSlowSeconds(): number {
  const isFetching = useIsFetching() > 0;
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isFetching) return;
    const since = performance.now();
    const timer = setInterval(() => {
      const ms = performance.now() - since;
      if (ms >= SLOW_MS) setSeconds(Math.floor(ms / 1_000));
    }, 500);
    return () => {
      clearInterval(timer);
      setSeconds(0);
    };
  }, [isFetching]);
  return seconds;
}
