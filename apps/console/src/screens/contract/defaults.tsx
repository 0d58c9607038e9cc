import { Link } from '@tanstack/react-router';
import { formatFilter } from '@duework/filter';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';

const words = texts.contracts;

/** What the type says for jobs that say nothing themselves. */
export function Defaults({ defaults }: { readonly defaults: Schemas['Contract']['defaults'] }) {
  if (defaults === null) return <p className="text-soft">{words.notRun}</p>;
  const filter = formatFilter({ terms: [{ field: 'queue', isNot: false, values: [defaults.queue] }] });
  return (
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5 text-sm">
      <Fact name={words.queue}>
        <Link to="/jobs" search={{ filter, cursor: undefined, columns: undefined }} className="break-all linked">
          {defaults.queue}
        </Link>
      </Fact>
      <Fact name={words.priority}>{defaults.priority}</Fact>
      <Fact name={words.attempts}>{defaults.maxAttempts}</Fact>
      <Fact name={words.retry}>{sayRetry(defaults.retry)}</Fact>
      <Fact name={words.timeout}>{formatDuration(defaults.timeoutMs)}</Fact>
      <Fact name={words.lease}>{formatDuration(defaults.leaseMs)}</Fact>
      {defaults.payload !== null && defaults.payload !== undefined && (
        <Fact name={words.emptyPayload}>
          <code className="font-mono text-xs break-all">{JSON.stringify(defaults.payload)}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function sayRetry(retry: { readonly [option: string]: unknown }): string {
  const ms = (name: string): string => formatDuration(Number(retry[name]));
  switch (retry['kind']) {
    case 'fixed':
      return words.retries.fixed(ms('delayMs'));
    case 'exponential':
      return words.retries.exponential(ms('baseMs'), Number(retry['factor']), ms('capMs'));
    case 'quadratic':
      return words.retries.quadratic(ms('unitMs'), ms('capMs'));
    case 'delays':
      return words.retries.delays((retry['delaysMs'] as readonly number[]).map(formatDuration).join(', '));
    default:
      return JSON.stringify(retry);
  }
}
