import { type FilterWatch, type PageView, readFilter } from '@duework/operate';
import { checkAskedValues } from '../../access/check-asked-values.js';
import { narrowFilter } from '../../access/narrow-filter.js';
import type { Principal } from '../../access/principal.js';
import { maySeePayloads, withhold } from '../../access/shown/withhold.js';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { filterAlone, filterParameter } from '../../jobs/filter-query.js';
import { encodePage } from '../../live/encode-page.js';
import { pageEvent } from '../../live/page-event.js';
import type { StreamEvents } from '../../live/create-streams.js';
import { lastEventId } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needs } from '../../over-queue/refusals.js';
import { followListed } from '../../over-queue/list-jobs.js';
import { followByFilter } from '../../shards/plans/follow-by-filter.js';

/**
 * `GET /v1/events`: the first page of a filter, and what becomes of it. A client that comes again with `Last-Event-ID` is
 * told the page as it is now, unless it is what it has seen.
 */
export function followJobs(parts: ApiParts, watch: FilterWatch, streamEvents: StreamEvents): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needs('lists', 'This queue does not list its jobs; one job is followed by its id.', followListed),
    shards: followByFilter(parts),
    doc: {
      method: 'get',
      path: '/v1/events',
      operationId: 'followJobs',
      summary: 'Follow the jobs that fit a filter',
      description:
        'Server-sent events: first `page`, then `change` after each change of the first page of the filter, twice a second ' +
        'at the most. The stream has no end of its own.',
      parameters: [filterParameter, lastEventId],
      responses: {
        200: {
          description: 'The events; the data of each is a PageEvent.',
          content: { 'text/event-stream': { schema: pageEvent } },
        },
        ...problems(
          'invalid_query',
          'invalid_filter',
          'limited_to_types',
          'rate_limited',
          'overloaded',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    async handle(c) {
      const principal = c.get('principal');
      const filter = narrowFilter(principal, readFilter(parseQuery(filterAlone, c).filter));
      await checkAskedValues(parts, principal, filter);
      const full = watch.isFull(filter, principal.id);
      if (full !== null)
        throw new ApiError(
          full === 'one' ? 'rate_limited' : 'overloaded',
          `${full === 'one' ? `${principal.name} already follows` : 'This server already follows'} too many different filters. Try again in 5 s.`,
          { headers: { 'Retry-After': '5' } },
        );
      await watch.look(filter, principal.id);
      const seen = c.req.header('last-event-id') ?? null;
      return streamEvents(c, (sink) =>
        watch.follow(filter, principal.id, viewOf(principal), seen, (event) => sink.sendEncoded(encodePage(event))),
      );
    },
  };
}

/** Those who may see the same of a job share what they are told. */
function viewOf(principal: Principal): PageView {
  const name = maySeePayloads(principal) ? 'with progress' : 'without';
  return { name, show: (job) => withhold(principal, job) };
}
