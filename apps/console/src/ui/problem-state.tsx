import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.js';
import { texts } from '../texts/texts.js';
import { Button } from './inputs/button.js';

const words = texts.states;
const SAID: Readonly<Record<string, readonly [title: string, fix: string]>> = {
  unreachable: [words.unreachable, words.unreachableFix],
  redis_away: [words.redis, words.redisFix],
  database_unavailable: [words.database, words.databaseFix],
  database_busy: [words.database, words.databaseFix],
  not_ready: [words.database, words.databaseFix],
  not_migrated: [words.notMigrated, words.notMigratedFix],
  rate_limited: [words.limited, words.limitedFix],
};

/** What went wrong and what to do about it, in the place of what could not be shown. */
export function ProblemState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const code = error instanceof ApiError ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  const [title, fix] = (code !== null && SAID[code]) || [
    code === 'missing_scope' ? words.missingScope : code === 'not_supported' ? words.notSupported : words.other,
    message,
  ];
  return (
    <StateBox title={title}>
      <p>{fix}</p>
      {error instanceof ApiError && error.faults.length > 0 && (
        <ul className="mt-2 list-inside list-disc">
          {error.faults.map((fault) => (
            <li key={fault.pointer + fault.message}>
              <code className="font-mono text-xs">{fault.pointer}</code> {fault.message}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 font-mono text-2xs text-faint">
        {code !== null && `${words.code} ${code}`}
        {error instanceof ApiError && error.requestId !== null && ` · ${words.request} ${error.requestId}`}
      </p>
      {onRetry !== undefined && (
        <Button className="mt-3" onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </StateBox>
  );
}

/** A quiet box in the place of content: for what is empty, gone or wrong. */
export function StateBox({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="mx-auto my-10 w-[calc(100%-1.5rem)] max-w-xl rounded-lg border border-line bg-surface px-6 py-5 text-soft">
      <h2 className="mb-1 text-base font-semibold text-ink">{title}</h2>
      {children}
    </div>
  );
}
