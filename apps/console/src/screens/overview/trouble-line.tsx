import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readRuleName, type FlowRule } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { AlertLink } from '../alerts/alert-link.js';
import { Clock } from '../../ui/marks/clock.js';
import { FilterLink } from '../../ui/filter-link.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import type { Trouble } from './find-troubles.js';

const words = texts.overview.trouble;

/** One trouble: what, how bad, since when, and where to go. `isOver`: it has just ended. */
export function TroubleLine({ trouble, isOver = false }: { readonly trouble: Trouble; readonly isOver?: boolean }) {
  const { title, detail, action } = describe(trouble);
  const severity = isOver ? 'well' : trouble.severity;
  return (
    <li className="flex items-start gap-2.5 border-b border-line/70 px-3 py-2 last:border-0">
      <span className="mt-0.5">
        <SeverityShape severity={severity} />
      </span>
      <p className="min-w-0 flex-1 break-words">
        <span className="sr-only">{words.severities[severity]}: </span>
        <span className={isOver ? 'text-soft line-through' : 'font-medium'}>{title}</span>{' '}
        <span className="text-soft">{detail}</span>
      </p>
      <span className="shrink-0 text-soft">{action}</span>
    </li>
  );
}

interface Description {
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly action: ReactNode;
}

function describe(trouble: Trouble): Description {
  switch (trouble.kind) {
    case 'no_workers': {
      const waiting = trouble.unserved.reduce((sum, one) => sum + one.waiting, 0);
      const isAtLeast = trouble.unserved.some((one) => one.isAtLeast);
      const since = trouble.unserved
        .map(({ lastSeenAt }) => lastSeenAt ?? '')
        .toSorted()
        .at(-1);
      return {
        title: (
          <>
            {words.noWorkers}
            {since !== undefined && since !== '' && (
              <>
                {' '}
                {words.since} <Clock at={since} />
              </>
            )}
          </>
        ),
        detail: words.noWorkersDetail(
          formatCount(waiting, isAtLeast),
          trouble.unserved.map(({ type }) => type).join(', '),
        ),
        action: <ToWorkers />,
      };
    }
    case 'unserved': {
      const { queue, type, version, waiting, isAtLeast, oldestWaitingSeconds, missing, lastWorker, lastSeenAt } =
        trouble.unserved;
      return {
        title: (
          <>
            {words.unserved[missing](type, queue, version)}
            {lastSeenAt !== null && (
              <>
                {' '}
                {words.since} <Clock at={lastSeenAt} />
              </>
            )}
          </>
        ),
        detail: words.unservedDetail(
          formatCount(waiting, isAtLeast),
          formatShortDuration(oldestWaitingSeconds * 1_000),
          lastWorker,
        ),
        action: <FilterLink fields={{ status: 'queued', type, queue }}>{words.jobs}</FilterLink>,
      };
    }
    case 'failing': {
      const { type } = trouble.queue;
      const [failed, dead] = [trouble.queue.failed ?? 0, trouble.queue.dead ?? 0];
      return {
        title: words.failing(type),
        detail: words.failingDetail(formatCount(failed + dead), formatCount(trouble.ended), dead, trouble.mostly),
        action: <ToFailures type={type} />,
      };
    }
    case 'mended': {
      const { type, lastFailedAt, succeededSince } = trouble.queue;
      const failed = (trouble.queue.failed ?? 0) + (trouble.queue.dead ?? 0);
      return {
        title: words.mended(type),
        detail: (
          <>
            {words.mendedSince} {lastFailedAt !== null && <Clock at={lastFailedAt} />}
            {words.mendedDetail(formatCount(succeededSince ?? 0), formatCount(failed), formatCount(trouble.ended))}
          </>
        ),
        action: <ToFailures type={type} />,
      };
    }
    case 'saturated': {
      const { queue, slots, due, isAtLeast, oldestWaitingSeconds, perSecond, arrivalsPerSecond, slotsNeeded } = trouble;
      const oldest = formatShortDuration(oldestWaitingSeconds * 1_000);
      return {
        title: words.saturated(queue, formatCount(slots), slots),
        detail: (
          <>
            {words.saturatedDetail(formatCount(due, isAtLeast), due, oldest)}
            {perSecond !== null &&
              words.atThisRate(formatShortDuration((due / perSecond) * 1_000), perSecond, isAtLeast)}
            {slotsNeeded === null
              ? words.moreSlots
              : words.needSlots(arrivalsPerSecond ?? 0, Math.ceil(slotsNeeded), slotsNeeded <= slots)}
          </>
        ),
        action: <FilterLink fields={{ status: 'queued', queue }}>{words.jobs}</FilterLink>,
      };
    }
    case 'died': {
      const { type, dead } = trouble.queue;
      return {
        title: words.died(dead ?? 0, type),
        detail: words.diedDetail,
        action: <ToFailures type={type} />,
      };
    }
    case 'retrying': {
      const { type, retrying } = trouble.queue;
      return {
        title: words.retrying(formatCount(retrying), type),
        detail: words.retryingDetail,
        action: <ToFailures type={type} />,
      };
    }
    case 'behind': {
      const { type, queue, due, isAtLeast, oldestWaitingSeconds, running } = trouble.queue;
      return {
        title: words.behind(type, formatShortDuration(oldestWaitingSeconds * 1_000)),
        detail: words.behindDetail(formatCount(due, isAtLeast), running),
        action: <FilterLink fields={{ status: 'queued', type, queue }}>{words.jobs}</FilterLink>,
      };
    }
    case 'paused': {
      const { kind, name, since, until, by, reason } = trouble.pause;
      return {
        title: words.paused(kind, name),
        detail: (
          <>
            {words.since} <Clock at={since} />
            {until !== null && (
              <>
                {' '}
                {words.until} <Clock at={until} />
              </>
            )}
            {words.pausedDetail(by, reason, formatCount(trouble.due), trouble.due)}
          </>
        ),
        action: (
          <Link to="/queues" className="linked inline-flex min-h-6 items-center">
            {words.queues}
          </Link>
        ),
      };
    }
    case 'lost':
      return {
        title: words.lost(trouble.worker.name),
        detail: words.lostDetail(trouble.worker.held, trouble.isLast),
        action: <ToWorkers />,
      };
    case 'silent':
      return {
        title: words.silent(trouble.worker.name, formatShortDuration(trouble.ms)),
        detail: words.silentDetail(trouble.worker.held),
        action: <ToWorkers />,
      };
    case 'stalled':
      return {
        title: words.stalled(
          trouble.worker.name,
          formatShortDuration(trouble.worker.stalledMs ?? 0),
          trouble.worker.held,
        ),
        detail: words.stalledDetail(trouble.worker.held),
        action: <ToWorkers />,
      };
    case 'alert':
      return { title: trouble.alert.text, detail: trouble.alert.advice, action: <AlertLink alert={trouble.alert} /> };
    case 'shut':
      return {
        title: words.shut(trouble.worker.name),
        detail: words.shutDetail[trouble.worker.shutBy ?? ''] ?? trouble.worker.shutBy,
        action: <ToWorkers />,
      };
    case 'breaker':
    case 'blocked':
    case 'shut_rule':
    case 'held':
      return describeRule(trouble);
    case 'finding':
      return { title: trouble.finding.sentence, detail: trouble.finding.fix, action: null };
  }
}

type RuleTrouble = Extract<Trouble, { readonly rule: FlowRule }>;

function describeRule(trouble: RuleTrouble): Description {
  const { name, closed, closedUntil, blocked, waiting, isAtLeast } = trouble.rule;
  const waits = words.waits(formatCount(waiting, isAtLeast), waiting);
  const until = closedUntil !== null && (
    <>
      {words.until} <Clock at={closedUntil} />.{' '}
    </>
  );
  const action = (
    <Link to="/flow/$kind/$name" params={readRuleName(name)} className="linked inline-flex min-h-6 items-center">
      {words.limits}
    </Link>
  );
  switch (trouble.kind) {
    case 'breaker':
      return {
        title: closed > 0 ? words.breakerOpen(name) : words.breakerTries(name),
        detail: (
          <>
            {until}
            {waits}
          </>
        ),
        action,
      };
    case 'shut_rule':
      return {
        title: words.shutRule(name),
        detail: (
          <>
            {until}
            {waits}
          </>
        ),
        action,
      };
    case 'blocked':
      return {
        title: words.orderBlocked(name),
        detail: words.orderBlockedDetail(formatCount(blocked), blocked),
        action,
      };
    case 'held':
      return {
        title: words.held(name, formatShortDuration(trouble.ms)),
        detail: waits,
        action,
      };
  }
}

const ToFailures = ({ type }: { readonly type: string }) => (
  <Link to="/failures" search={{ range: '1h', type }} className="linked inline-flex min-h-6 items-center">
    {words.failures}
  </Link>
);

const ToWorkers = () => (
  <Link to="/workers" className="linked inline-flex min-h-6 items-center">
    {words.workers}
  </Link>
);
