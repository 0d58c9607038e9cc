import { createHash } from 'node:crypto';
import type { EventContract, JobContract, SignalContract } from '@duework/contracts';
import { isKeyFree } from '@duework/operate';
import { BATCH_MOMENTS, checkJobRequest } from '@duework/queue-core';
import { makeNewEvent, makeNewSignal } from '@duework/queue-core/internals';
import { ApiError, type Fault } from '../../api-error.js';
import type { ApiContext, ApiParts } from '../../api.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { readJobRequest } from '../../jobs/read-job-request.js';
import { readJobRequests } from '../../jobs/read-job-requests.js';
import { type Body, PART_MS, queryOf } from '../ask-shard.js';
import { askedShard } from '../ask-shards.js';
import { checkShard, shardNotGiven } from '../shard-ids.js';
import type { Shards } from '../shards.js';
import { askOne } from './by-id.js';
import type { Plan } from './plan.js';

/** A job in a body, and where it stands. */
export type PlacedJob = readonly [pointer: string, job: unknown];

/** The jobs of a body that has several. */
export function jobsOf(body: unknown): readonly PlacedJob[] {
  const { jobs } = (body ?? {}) as { readonly jobs?: unknown };
  return Array.isArray(jobs) ? jobs.map((job: unknown, index): PlacedJob => [`/jobs/${index}`, job]) : [];
}

/** What a batch enqueues at its moments. */
export const callbacksOf = (body: unknown): readonly PlacedJob[] =>
  BATCH_MOMENTS.map((moment): PlacedJob => [`/${moment}`, (body as Body | null)?.[moment]]).filter(
    ([, job]) => job !== undefined,
  );

/** The next shard of those whose turn it is; each plan goes on where it was. */
interface Turns {
  next: number;
}

const SAYS =
  'Which shard: the one that `?shard=` names, else the one that `shardOf` names, else any that answers. ' +
  'The shard of a job with a unique key or an order is never guessed.';

/** Jobs go to one shard, all of a request to the same. */
export function enqueue(parts: ApiParts, jobsOf: (body: unknown) => readonly PlacedJob[]): Plan {
  const turns: Turns = { next: 0 };
  return {
    takesShard: true,
    says: SAYS,
    async handle(shards, c, operationId) {
      const named = askedShard(shards, c);
      const name = named ?? (await choose(shards, c, jobsOf(await readJsonBody(c)), parts, turns));
      return askOne(shards, name, c, { operationId, query: queryOf(c) });
    },
  };
}

/** Throws `shard_not_given`. */
async function choose(
  shards: Shards,
  c: ApiContext,
  jobs: readonly PlacedJob[],
  parts: ApiParts,
  turns: Turns,
): Promise<string> {
  const named = new Set<string>();
  const unnamed: Fault[] = [];
  for (const [pointer, job] of jobs) {
    const { type, payload, idempotencyKey } = (job ?? {}) as Record<string, unknown>;
    const contract = parts.catalog.find((one) => one.type === type);
    // the shard refuses it
    if (contract === undefined) continue;
    const name = nameShard(shards, contract, payload ?? contract.defaultPayload, () => checkJobs(c, jobs, parts));
    if (name !== undefined) named.add(checkShard(shards, name));
    else if (isBound(contract, idempotencyKey))
      unnamed.push({ pointer, message: `A ${contract.type} has a key or an order, which hold in one shard` });
  }
  if (unnamed.length > 0) throw refuse(shards, 'Nothing says the shard of what has a key or an order', unnamed);
  if (named.size > 1)
    throw refuse(shards, `The jobs belong to several shards (${[...named].join(', ')}), and are enqueued all or none`);
  const [only] = named;
  return only ?? anyShard(shards, c, turns);
}

/**
 * What `shardOf` says; undefined: it names none. It is given what came, which no contract has checked: where it throws, `check`
 * says what is wrong with it, if that was the reason.
 */
function nameShard(
  { shardOf }: Shards,
  contract: JobContract | SignalContract | EventContract,
  payload: unknown,
  check: () => void,
): string | undefined {
  try {
    return shardOf?.(contract, payload) ?? undefined;
  } catch (error) {
    check();
    throw error;
  }
}

/** Throws what a shard would refuse the jobs with. */
function checkJobs(c: ApiContext, jobs: readonly PlacedJob[], parts: ApiParts): void {
  const values = jobs.map(([, job]) => job);
  const principal = c.get('principal');
  if (jobs.length === 1 && jobs[0]![0] === '') checkJobRequest(readJobRequest(values[0], principal, parts));
  else readJobRequests(values, principal, parts, (index) => jobs[index]![0]);
}

/** Whether a job is bound to those that have its key: to be unique among them, or to stand in line with them. */
function isBound({ keyOf, unique, flow }: JobContract, given: unknown): boolean {
  if (typeof given === 'string') return true;
  if (given !== null && keyOf !== null) return true;
  return unique !== null || (flow?.some(({ kind }) => kind === 'order') ?? false);
}

function refuse(shards: Shards, why: string, errors: readonly Fault[] = []): ApiError {
  const { message } = shardNotGiven(shards.names, `${why}: send it with ?shard=.`);
  return new ApiError('shard_not_given', message, { errors });
}

/**
 * Any open one that answers, in turns. A request that may be sent again goes to the same each time, whether that answers or
 * not. Throws `shard_not_given` where all are closed.
 */
async function anyShard(shards: Shards, c: ApiContext, turns: Turns): Promise<string> {
  const { names, all } = shards;
  const closed = await Promise.all(names.map((name) => all.get(name)!.isClosed()));
  const open = names.filter((_name, at) => !closed[at]);
  if (open.length === 0) throw refuse(shards, 'Each shard is closed');
  const key = c.req.header('idempotency-key');
  return key === undefined ? anyUp(shards, turns, open) : sameAgain(shards, open, c.get('principal').id, key);
}

/** The shard of an `Idempotency-Key`; one that was closed meanwhile keeps what has begun under it there. */
async function sameAgain(
  { names, all }: Shards,
  open: readonly string[],
  principal: string,
  key: string,
): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([principal, key]))
    .digest();
  const first = hash.readUInt32BE(0);
  const name = names.toSorted()[first % names.length]!;
  if (open.includes(name)) return name;
  const { db, gate } = all.get(name)!;
  const free = await gate.ask(() => isKeyFree(db, { principal, key }), PART_MS);
  return typeof free !== 'string' && free.answer ? open.toSorted()[first % open.length]! : name;
}

/** Any of them that answers, in turns; where none does, the next. */
export async function anyUp({ all, names: every }: Shards, turns: Turns, names = every): Promise<string> {
  const first = turns.next++ % names.length;
  const inTurn = names.map((_name, at) => names[(first + at) % names.length]!);
  const sure = inTurn.filter((name) => !all.get(name)!.gate.isInDoubt);
  for (const name of [...sure, ...inTurn]) if (await all.get(name)!.gate.isUp()) return name;
  return inTurn[0]!;
}

/** What belongs to no shard, and is said by any. */
export function anywhere(): Plan {
  const turns: Turns = { next: 0 };
  return {
    handle: async (shards, c, operationId) => askOne(shards, await anyUp(shards, turns), c, { operationId }),
  };
}

/** A signal goes where the job waits for it, or will: nobody guesses that. */
export function sendToShard(signals: readonly SignalContract[]): Plan {
  return {
    takesShard: true,
    says: 'Which shard: the one that `?shard=` names, else the one that `shardOf` names; it is not guessed.',
    async handle(shards, c, operationId) {
      const named = askedShard(shards, c);
      const contract = signals.find(({ name }) => name === c.req.param('name'));
      // a signal that is none is refused by any
      const name = named ?? (contract === undefined ? shards.names[0]! : await shardOfSignal(shards, contract, c));
      return askOne(shards, checkShard(shards, name), c, { operationId, query: queryOf(c) });
    },
  };
}

/** An event goes where `shardOf` says, because its subscribers may have orders. */
export function publishToShard(events: readonly EventContract[]): Plan {
  return {
    takesShard: true,
    says: 'Which shard: the one that `?shard=` names, else the one that `shardOf` names; it is not guessed.',
    async handle(shards, c, operationId) {
      const event = events.find(({ name }) => name === c.req.param('event'));
      const named =
        askedShard(shards, c) ?? (event === undefined ? shards.names[0]! : await shardOfEvent(shards, event, c));
      return askOne(shards, checkShard(shards, named), c, { operationId, query: queryOf(c) });
    },
  };
}

/** Throws `shard_not_given`. */
async function shardOfEvent(shards: Shards, event: EventContract, c: ApiContext): Promise<string> {
  const { payload } = (await readJsonBody(c)) as { readonly payload?: unknown };
  const name = nameShard(shards, event, payload, () => makeNewEvent(event, payload));
  if (name !== undefined) return name;
  throw shardNotGiven(shards.names, 'Nothing says in which shard the event belongs: publish it with ?shard=.');
}

/** Throws `shard_not_given`. */
async function shardOfSignal(shards: Shards, contract: SignalContract, c: ApiContext): Promise<string> {
  const payload = await readJsonBody(c);
  const name = nameShard(shards, contract, payload, () => makeNewSignal(contract, payload));
  if (name !== undefined) return name;
  throw shardNotGiven(shards.names, 'Nothing says in which shard the job waits: send it with ?shard=.');
}
