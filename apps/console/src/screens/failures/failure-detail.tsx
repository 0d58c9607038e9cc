import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FailureGroup, FailureList } from '../../api/failure-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatMoment } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';
import { Button, buttonLook } from '../../ui/inputs/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Moment } from '../../ui/marks/moment.js';
import { EffectCheck } from './effect-check.js';
import { NewestStack } from './newest-stack.js';
import { PauseTypeButton } from './pause-type-button.js';
import { stepAt } from './step-cells.js';

const words = texts.failures;

interface FailureDetailProps {
  readonly group: FailureGroup;
  readonly data: FailureList;
  /** By the names of workers that live. */
  readonly codeVersions: ReadonlyMap<string, string>;
  /** Retries those that are dead, or tries those at once that wait for it. null: whoever is signed in may not. */
  readonly onRetry: ((status: 'dead' | 'failed') => void) | null;
}

/** What is known of one error: an example, since when, whose jobs and workers; and what can be done. */
export function FailureDetail({ group, data, codeVersions, onRetry }: FailureDetailProps) {
  const zone = useZone();
  const filter = `status:dead,failed ${group.filter} since:${data.since}`;
  const steps = group.counts.map((count, step) => ({ count, step })).filter(({ count }) => count > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-x-8 gap-y-4 max-lg:grid-cols-1">
      <div className="min-w-0">
        <p className="text-xs text-faint">{words.example}</p>
        <p className="font-mono text-xs break-words">
          {group.errorType !== null && (
            <span className="text-soft">
              {group.errorType}
              {group.message !== null && ': '}
            </span>
          )}
          {group.message}
        </p>
        {group.message === null && <p className="text-xs text-soft">{words.textHidden}</p>}
        <p className="mt-2 text-xs text-faint">{words.filter}</p>
        <p className="flex items-start gap-1">
          <code className="min-w-0 pt-1 font-mono text-xs break-words">{filter}</code>
          <CopyButton text={filter} label={`${texts.copy.copy}: ${words.filter}`} />
        </p>
        <div className="mt-3 flex flex-wrap gap-1.5">
          <Link to="/jobs" search={{ filter, cursor: undefined, columns: undefined }} className={buttonLook()}>
            {words.open}
          </Link>
          {onRetry !== null && group.dead > 0 && (
            <Button kind="primary" onClick={() => onRetry('dead')}>
              {words.retry(formatCount(group.dead))}
            </Button>
          )}
          {onRetry !== null && group.retrying > 0 && (
            <Button onClick={() => onRetry('failed')}>{words.retryNow(formatCount(group.retrying))}</Button>
          )}
          {onRetry !== null && <PauseTypeButton type={group.type} />}
          <EffectCheck type={group.type} since={data.since} />
        </div>
        <NewestStack id={group.newestJob} />
      </div>
      <div>
        <dl className="grid grid-cols-[6.5rem_1fr] gap-x-3 gap-y-1 text-sm">
          <Fact name={words.firstSeen}>
            <Moment at={group.firstAt} />
            {group.isOlder && <span className="block text-xs text-soft">{words.older}</span>}
          </Fact>
          {group.beganWith !== null && (
            <Fact name={words.beganWith}>
              <span className="block font-mono text-xs">
                {group.beganWith.worker}
                {group.beganWith.codeVersion !== null && <> · {group.beganWith.codeVersion}</>}
              </span>
              {group.beganWith.codeVersion !== null && group.beganWith.startedAt !== null && (
                <span className="block text-xs text-soft">
                  {words.codeSince} <Moment at={group.beganWith.startedAt} />
                </span>
              )}
            </Fact>
          )}
          {group.places.length > 0 && (
            <Fact name={words.place}>
              {group.places.map((place) => (
                <span key={place} className="block font-mono text-xs break-words">
                  {place}
                </span>
              ))}
            </Fact>
          )}
          <Fact name={words.lastSeen}>
            <Moment at={group.lastAt} />
          </Fact>
          <Fact name={words.versions}>{group.versions.join(', ')}</Fact>
          {group.workers.length > 0 && (
            <Fact name={words.workers}>
              {group.workers.map((name) => (
                <span key={name} className="block font-mono text-xs">
                  {name}
                  {codeVersions.has(name) && <span className="text-soft"> · {codeVersions.get(name)}</span>}
                </span>
              ))}
            </Fact>
          )}
        </dl>
        <table className="mt-3 w-full text-xs">
          <caption className="pb-0.5 text-left text-faint">{words.byStep}</caption>
          <tbody>
            {steps.toReversed().map(({ count, step }) => (
              <tr key={step} className="border-t border-line">
                <th scope="row" className="py-0.5 text-left font-normal text-soft">
                  {formatMoment(new Date(stepAt(data, step)), zone).slice(0, -3)}
                </th>
                <td className="text-right">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
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
