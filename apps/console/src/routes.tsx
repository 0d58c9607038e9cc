import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
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

/** One route per screen; each screen is a file of its own that is loaded when somebody goes there. */
export const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/jobs', replace: true });
    },
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
    validateSearch: ({ like }) => ({ like: text(like) }),
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
