import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { RANGES, type Range } from './api/failure-queries.js';
import { RULE_KINDS, type RuleKind } from './api/flow-queries.js';
import { Begin } from './shell/begin.js';
import { NotFound } from './shell/not-found.js';
import { Shell } from './shell/shell.js';
import { ProblemState } from './ui/problem-state.js';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <ProblemState error={error} />,
});

/** A search parameter that is a text, or not there. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const rangeOf = (value: unknown): Range | undefined => RANGES.find((one) => one === value);

const kindOf = (value: unknown): RuleKind | undefined => RULE_KINDS.find((one) => one === value);

/** One route per screen; each screen is a file of its own that is loaded when somebody goes there. */
export const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: Begin,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/overview',
    validateSearch: ({ range, queue, type }) => ({ range: text(range), queue: text(queue), type: text(type) }),
    component: lazyRouteComponent(() => import('./screens/overview/overview-screen.js'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts',
    component: lazyRouteComponent(() => import('./screens/alerts/alerts-screen.js'), 'AlertsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs',
    validateSearch: ({ filter, cursor, columns }) => ({
      filter: text(filter),
      cursor: text(cursor),
      columns: text(columns),
    }),
    component: lazyRouteComponent(() => import('./screens/jobs/jobs-screen.js'), 'JobsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs/$id',
    component: lazyRouteComponent(() => import('./screens/job/job-screen.js'), 'JobScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs/$id/compare',
    validateSearch: ({ with: other }) => ({ with: text(other) }),
    component: lazyRouteComponent(() => import('./screens/compare/compare-screen.js'), 'CompareScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/queues',
    component: lazyRouteComponent(() => import('./screens/queues/queues-screen.js'), 'QueuesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/flow',
    validateSearch: ({ kind, find }) => ({ kind: kindOf(kind), find: text(find) }),
    component: lazyRouteComponent(() => import('./screens/flow/flow-screen.js'), 'FlowScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/flow/$kind/$name',
    validateSearch: ({ value, keys, cursor }) => ({ value: text(value), keys: text(keys), cursor: text(cursor) }),
    component: lazyRouteComponent(() => import('./screens/flow-rule/flow-rule-screen.js'), 'FlowRuleScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workers',
    component: lazyRouteComponent(() => import('./screens/workers/workers-screen.js'), 'WorkersScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/failures',
    validateSearch: ({ range, type }) => ({ range: rangeOf(range), type: text(type) }),
    component: lazyRouteComponent(() => import('./screens/failures/failures-screen.js'), 'FailuresScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows',
    component: lazyRouteComponent(() => import('./screens/workflows/workflows-screen.js'), 'WorkflowsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/batches',
    validateSearch: ({ cursor }) => ({ cursor: text(cursor) }),
    component: lazyRouteComponent(() => import('./screens/batches/batches-screen.js'), 'BatchesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/batches/$id',
    component: lazyRouteComponent(() => import('./screens/batch/batch-screen.js'), 'BatchScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules',
    validateSearch: ({ paused, cursor }) => ({ paused: text(paused), cursor: text(cursor) }),
    component: lazyRouteComponent(() => import('./screens/schedules/schedules-screen.js'), 'SchedulesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/$key',
    component: lazyRouteComponent(() => import('./screens/schedule/schedule-screen.js'), 'ScheduleScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/contracts',
    component: lazyRouteComponent(() => import('./screens/contracts/contracts-screen.js'), 'ContractsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/contracts/$type',
    validateSearch: ({ version }) => ({ version: text(version) }),
    component: lazyRouteComponent(() => import('./screens/contract/contract-screen.js'), 'ContractScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/contracts/$type/enqueue',
    validateSearch: ({ like, batch }) => ({ like: text(like), batch: text(batch) }),
    component: lazyRouteComponent(() => import('./screens/enqueue/enqueue-screen.js'), 'EnqueueScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: ({ by, verb, kind, target, job, since, cursor }) => ({
      by: text(by),
      verb: text(verb),
      kind: text(kind),
      target: text(target),
      job: text(job),
      since: text(since),
      cursor: text(cursor),
    }),
    component: lazyRouteComponent(() => import('./screens/audit/audit-screen.js'), 'AuditScreen'),
  }),
]);
