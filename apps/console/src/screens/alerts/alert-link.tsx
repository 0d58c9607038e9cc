import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readRuleName } from '../../api/flow-queries.js';
import type { Alert } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { FilterLink } from '../../ui/filter-link.js';

const words = texts.alerts.links;
const look = 'linked inline-flex min-h-6 items-center';

/** Leads to what an alert is about; nothing, if no screen shows it. */
export function AlertLink({ alert: { name, facts } }: { readonly alert: Alert }): ReactNode {
  const text = (fact: string): string | undefined => (facts[fact] === undefined ? undefined : String(facts[fact]));
  switch (name) {
    case 'effect_unknown':
      return (
        <FilterLink fields={{ status: 'dead', code: 'effect_unknown', type: text('type') }}>{words.jobs}</FilterLink>
      );
    case 'too_many_dead_jobs':
    case 'dead_runs_expire':
      return <FilterLink fields={{ status: 'dead', type: text('type') }}>{words.jobs}</FilterLink>;
    case 'oldest_job_waits_too_long':
      return <FilterLink fields={{ status: 'queued', queue: text('queue') }}>{words.jobs}</FilterLink>;
    case 'failing_job_type':
      return (
        <Link to="/failures" search={{ range: '1h', type: text('type') }} className={look}>
          {words.failures}
        </Link>
      );
    case 'no_worker_for_type':
      return (
        <Link to="/workers" className={look}>
          {words.workers}
        </Link>
      );
    case 'schedule_late':
      return (
        <Link to="/schedules/$key" params={{ key: text('schedule') ?? '' }} className={look}>
          {words.schedule}
        </Link>
      );
    case 'job_released_too_often':
    case 'held_job_waits_too_long':
      return (
        <Link to="/jobs/$id" params={{ id: text('id') ?? '' }} className={look}>
          {words.job}
        </Link>
      );
    case 'breaker_open':
    case 'order_blocked':
      return (
        <Link to="/flow/$kind/$name" params={readRuleName(text('rule') ?? '')} className={look}>
          {words.limit}
        </Link>
      );
    case 'horizon_pinned':
    case 'disk_fills_up':
    case 'test':
      return null;
  }
}
