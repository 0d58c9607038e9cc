import { mergeCount, shareRate, splitIds } from '@duework/shards/merges';
import type { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiContext } from '../../api.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import type { bulkAction, bulkPreview } from '../../bulk/present-bulk-action.js';
import { answerAsShard, answerMerged, findRefusal, partsOf } from '../answer-shards.js';
import { type Asked, type Body, PART_MS, queryOf } from '../ask-shard.js';
import { askShards, refusedAsProblems, type ShardAnswers } from '../ask-shards.js';
import { filtersOf } from '../list-jobs.js';
import { actionOfAll, previewOfAll } from '../merges.js';
import { placeId } from '../shard-ids.js';
import type { Shards } from '../shards.js';
import { pathWithId } from './by-id.js';
import type { Plan } from './plan.js';

const PREVIEW = 'previewBulkAction';
const JOINED = 'Of several shards it is shown as one, whose id joins those of each: `a.12~b.9`. ';

/** What an action would do in all shards together. */
export const previewBulk: Plan = {
  takesShard: true,
  isMerged: true,
  async handle(shards, c) {
    const told = await preview(shards, c, await bodiesOf(shards, c));
    const refusal = findRefusal(told);
    return refusal === undefined
      ? answerMerged(c, previewOfAll(partsOf<Preview>(told)), told.problems)
      : answerAsShard(c, refusal);
  },
};

/**
 * Begins one action in each shard. `atMost` bounds all of them together: they are looked at first. What does not begin
 * somewhere is said.
 */
export const startBulk: Plan = {
  takesShard: true,
  isMerged: true,
  says: `${JOINED}\`problems\` says in which shard nothing has begun. \`perSecond\` is divided among the shards.`,
  async handle(shards, c, operationId) {
    const bodies = await bodiesOf(shards, c);
    const looked = await preview(shards, c, bodies);
    const refusal = findRefusal(looked);
    if (refusal !== undefined) return answerAsShard(c, refusal);
    checkAtMost([...bodies.values()][0] as Body, looked);
    const names = looked.answers.map(({ shard }) => shard);
    const told = refusedAsProblems(
      await askShards(shards, names, c, (name) => ({
        operationId,
        query: queryOf(c),
        body: bodies.get(name),
        limitMs: null,
      })),
    );
    // that nothing fits in one of several shards is no problem of it
    const empty = new Set(looked.answers.filter(({ body }) => countOf(body).count === 0).map(({ shard }) => shard));
    const problems = told.problems.filter(({ shard, code }) => code !== 'bulk_action_refused' || !empty.has(shard));
    return answerAction(c, { answers: told.answers, problems: [...looked.problems, ...problems] }, 202);
  },
};

/** A route about one action, which may be of several shards. */
export const byAction = (method: 'GET' | 'POST', status: 200 | 202 = 200): Plan => ({
  isMerged: true,
  says: JOINED,
  async handle(shards, c, operationId) {
    const given = c.req.param('id') ?? '';
    const placed = new Map(splitIds(given).map((one) => [placeId(shards, one).shard, placeId(shards, one).id]));
    const ask = (name: string): Asked => ({
      operationId,
      path: pathWithId(c, placed.get(name)!),
      limitMs: method === 'GET' ? PART_MS : null,
    });
    const told = refusedAsProblems(await askShards(shards, [...placed.keys()], c, ask));
    return answerAction(c, told, status, given);
  },
});

/** The part of a shard that does not answer may run. */
const RUNNING = { status: 'running', finishedAt: null, undoUntil: null } as const;

function answerAction(c: ApiContext, told: ShardAnswers, status: 200 | 202, given?: string): Response {
  const refusal = findRefusal(told);
  if (refusal !== undefined) {
    const id = given?.split('.')[1];
    return answerAsShard(c, refusal, id === undefined ? undefined : { given: given!, id });
  }
  const merged = actionOfAll(partsOf<z.output<typeof bulkAction>>(told));
  // it stays that of all its shards; an undo is another one, and has begun in those that answer
  const isSame = given !== undefined && status === 200;
  const mayRun = isSame && told.problems.some(({ problem }) => problem !== 'refused');
  const body = { ...merged, ...(isSame ? { id: given } : {}), ...(mayRun ? RUNNING : {}) };
  if (status === 202) c.header('Location', `/v1/bulk-actions/${body.id}`);
  return answerMerged(c, body, told.problems, status);
}

/** The body for each shard that may have what fits: with its own filter, and its part of the rate. */
async function bodiesOf(shards: Shards, c: ApiContext): Promise<ReadonlyMap<string, unknown>> {
  const body = (await readJsonBody(c)) as Body | null;
  // what is wrong with it the shards say
  if (typeof body !== 'object' || typeof body?.['filter'] !== 'string') return new Map([[shards.names[0]!, body]]);
  const filters = filtersOf(shards, c, body['filter']);
  const { perSecond } = body as { readonly perSecond?: unknown };
  const rate = Number.isInteger(perSecond) ? { perSecond: shareRate(perSecond as number, filters.size) } : {};
  // a rate that is none is refused as it is
  const isRate = typeof perSecond === 'number' && perSecond >= 1;
  return new Map([...filters].map(([name, filter]) => [name, { ...body, ...(isRate ? rate : {}), filter }]));
}

const preview = (shards: Shards, c: ApiContext, bodies: ReadonlyMap<string, unknown>): Promise<ShardAnswers> =>
  askShards(shards, [...bodies.keys()], c, (name) => ({
    operationId: PREVIEW,
    path: '/v1/bulk-actions/preview',
    query: new URLSearchParams(),
    body: bodies.get(name),
    limitMs: null,
  }));

type Preview = z.output<typeof bulkPreview>;
const countOf = (body: Body): Preview['count'] => (body as Preview).count;

/** Throws `bulk_action_refused` where more jobs fit in all shards together than `atMost` says. */
function checkAtMost({ atMost }: Body, { answers }: ShardAnswers): void {
  if (typeof atMost !== 'number') return;
  const { count, isAtLeast } = mergeCount(answers.map(({ body }) => countOf(body)));
  if (count > atMost || isAtLeast)
    throw new ApiError(
      'bulk_action_refused',
      `${count}${isAtLeast ? ' or more' : ''} jobs fit the filter in all shards, which is more than ${atMost}.`,
      { errors: [{ pointer: '/atMost', message: 'More jobs fit' }] },
    );
}
