import type { OpenAPIHono } from '@hono/zod-openapi';
import { DueworkError, type JobQueue } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { ApiEnv, ApiParts, Refusal, Route } from '../api.js';
import { assembleApp } from '../create-app.js';
import { createRoutes, createStreamShare } from '../create-routes.js';
import { addProblems } from '../openapi/add-problems.js';
import { problems } from '../openapi/problems.js';
import { describeAnswers } from './describe-answers.js';
import { NO_DATABASE } from './no-database.js';
import { isOfQueue } from '../queue-route.js';
import { readFollowedOf } from './read-followed.js';
import { planFor } from './plan.js';
import { tellAway } from './tell-away.js';

type CommonParts = Omit<ApiParts, 'db' | 'queue' | 'authorize'> & Partial<Pick<ApiParts, 'authorize'>>;

/**
 * The API over a queue that is in no database: the same addresses, of which those that need PostgreSQL, or what the queue's store
 * has declared that it cannot do, answer `not_supported` and say why. Throws `invalid_option` without `authorize`: API
 * keys are in a database, and nobody is let in unasked.
 */
export function createOverQueueApp(
  given: JobQueue,
  { authorize, ...common }: CommonParts,
  own: readonly Route[] = [],
): OpenAPIHono<ApiEnv> {
  if (authorize === undefined)
    throw new DueworkError('invalid_option', {
      option: 'authorize',
      expected: 'given, because a queue without a database has no API keys: say who may call',
      value: authorize,
    });
  const queue = tellAway(given, common.log);
  // each route adds its own
  const refusals: Refusal[] = [];
  const parts: ApiParts = { ...common, authorize, db: NO_DATABASE, queue, refusals };
  return assembleApp(
    parts,
    (readDocument) =>
      createRoutes(parts, readDocument, own, createStreamShare(parts), readFollowedOf(queue)).map(planRoute),
    describeAnswers,
  );

  function planRoute(route: Route): Route {
    if (!isOfQueue(route)) return route;
    const plan = planFor(route.over, queue.capabilities);
    if (plan === 'same') return { ...route, doc: say(route.doc) };
    if ('handle' in plan) return { ...route, doc: say(route.doc, plan.says), handle: (c) => plan.handle(c, route) };
    refusals.push({ operation: route.doc.operationId!, why: plan.refused });
    return refuse(route, plan.refused);
  }
}

function refuse(route: Route, why: string): Route {
  return {
    ...route,
    doc: say(route.doc, `It is refused here: ${why}`),
    handle: () => {
      throw new ApiError('not_supported', why);
    },
  };
}

/** What the store cannot do is refused by any route that asks it. */
function say(doc: Route['doc'], says?: string): Route['doc'] {
  const description = [doc.description, says].filter((text) => text !== undefined).join(' ');
  return addProblems({ ...doc, ...(description === '' ? {} : { description }) }, problems('not_supported'));
}
