import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';
import { askShard, type Asked, isLeftOut, type LeftOut, queryOf, type ShardAnswer } from './ask-shard.js';
import { checkShard } from './shard-ids.js';
import type { Shards } from './shards.js';

/** What all shards have answered that do. */
export interface ShardAnswers {
  readonly answers: readonly ShardAnswer[];
  /** Those that do not, by name. */
  readonly problems: readonly LeftOut[];
}

/**
 * The shard that `?shard=` names; undefined: it names none. Throws `unknown_shard`, and `invalid_query` for any parameter that is
 * given more than once: what is changed in a query would hide it from the shards.
 */
export function askedShard(shards: Shards, c: ApiContext): string | undefined {
  const given = Object.entries(c.req.queries());
  const errors = given
    .filter(([, values]) => values.length > 1)
    .map(([parameter]) => ({ parameter, message: 'It is given more than once' }));
  if (errors.length > 0)
    throw new ApiError('invalid_query', 'The query is not valid; see errors for the parameters.', { errors });
  const name = c.req.query('shard');
  return name === undefined ? undefined : checkShard(shards, name);
}

/** The shards that a request is for: the one that it names, or all. */
export function shardsFor(shards: Shards, c: ApiContext): readonly string[] {
  const named = askedShard(shards, c);
  return named === undefined ? shards.names : [named];
}

/**
 * Asks several shards at once, each as `asked` says of it. What is wrong with the request is refused as a single database
 * does; a shard that fails otherwise is left out. Throws `database_away` where none answers.
 */
export async function askShards(
  shards: Shards,
  names: readonly string[],
  c: ApiContext,
  asked: (name: string) => Asked,
): Promise<ShardAnswers> {
  const told = await Promise.all(names.map((name) => askShard(shards, name, c, asked(name))));
  const answers: ShardAnswer[] = [];
  const problems: LeftOut[] = [];
  for (const one of told)
    if (isLeftOut(one)) problems.push(one);
    else if (one.status >= 500) problems.push({ shard: one.shard, problem: 'failed' });
    else answers.push(one);
  if (answers.length > 0) return { answers, problems };
  // all that answer have failed: what one of them says is what there is to say
  const failed = told.find((one) => !isLeftOut(one));
  if (failed === undefined || isLeftOut(failed)) throw noneAnswers(problems);
  return { answers: [failed], problems };
}

export const noneAnswers = (problems: readonly LeftOut[]): ApiError =>
  new ApiError(
    'database_away',
    `No shard answers: ${problems.map(({ shard, problem }) => `${shard} (${problem})`).join(', ')}.`,
    { headers: { 'Retry-After': '1' } },
  );

/** Without the shards that have nothing of what is asked for, unless none has: a rule is where a type that declares it runs. */
export function withoutUnknown({ answers, problems }: ShardAnswers): ShardAnswers {
  const known = answers.filter(({ status }) => status !== 404);
  return { answers: known.length === 0 ? answers : known, problems };
}

/** Those that have refused are told beside what the others have done; where all have, it is refused. */
export function refusedAsProblems({ answers, problems }: ShardAnswers): ShardAnswers {
  const done = answers.filter(({ status }) => status < 400);
  if (done.length === 0) return { answers, problems };
  const refused = answers
    .filter(({ status }) => status >= 400)
    .map(({ shard, body }): LeftOut => ({ shard, problem: 'refused', code: String(body['code']) }));
  return { answers: done, problems: [...problems, ...refused] };
}

/** A query with one parameter changed; undefined: without it. */
export function queryWith(c: ApiContext, changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const query = queryOf(c);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  return query;
}
