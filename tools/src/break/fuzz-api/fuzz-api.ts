import fc from 'fast-check';
import { openPool } from '../../kit/open-client.js';
import { startApi, type StartedApi } from '../../kit/start-api.js';
import { createAnswerCheck } from './create-answer-check.js';
import { describedRequest, type DescribedRequest } from './described-request.js';
import { makeKeys } from './make-keys.js';
import { type ApiDocument, type Operation, readOperations } from './read-operations.js';
import { seedBatch, seedBulkAction, SEEDED_RULE, seedJobs } from './seed-jobs.js';
import { fillIn, sendRequest, type SentRequest } from './send-request.js';
import { type Answer, ToldValues } from './told-values.js';

export interface FuzzApiOptions {
  /** Of a fresh database with the tables of the queue and of the shop. */
  readonly databaseUrl: string;
  readonly seed: number;
  /** How many requests at most. */
  readonly requests: number;
  /** How long at most. */
  readonly ms?: number;
  /** Goes on behind a problem, and tells one of each kind, as it was sent; otherwise the first one is made as small as it can be. */
  readonly isForAll?: boolean;
  /** Straight to one counterexample, by the path of its report. */
  readonly path?: string;
}

export interface FuzzReport {
  /** How often each route answered each status: `GET /v1/jobs` → 200 → 17. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly requests: number;
  /** The smallest request whose answer is not as the document has it; null: each is. */
  readonly problem: string | null;
  /** The routes of the document. */
  readonly operations: readonly Operation[];
}

/** A key ring, so that what the contracts call sensitive is encrypted here, too. */
const KEY_RING = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/**
 * Starts the API and sends it requests that are made from its own OpenAPI document: such as it describes, nearly such, with
 * each right and without. Every answer is held against the document. The same seed sends the same requests.
 */
export async function fuzzApi({
  databaseUrl,
  seed,
  requests,
  ms,
  path,
  isForAll = false,
}: FuzzApiOptions): Promise<FuzzReport> {
  const db = openPool(databaseUrl, 2);
  const api = await startApi(databaseUrl, { DUEWORK_KEYS: KEY_RING }).catch(async (error: unknown) => {
    await db.end();
    throw error;
  });
  try {
    const { findKey, endMs } = await makeKeys(db);
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as ApiDocument;
    const operations = readOperations(document);
    const check = createAnswerCheck(document, endMs);
    const told = new ToldValues();
    for (const id of await seedJobs(db)) told.add('/v1/jobs id', id);
    told.add('/v1/batches id', await seedBatch(db));
    told.add('/v1/bulk-actions id', await seedBulkAction(db));
    for (const [part, value] of Object.entries(SEEDED_RULE)) told.add(`/v1/flow ${part}`, value);
    // such as requests make; never those that they come with
    for (const name of ['made-1', 'made-2']) told.add('/v1/api-keys key', name);
    const kinds = new Map<string, string>();
    const answers = new Map(operations.map(({ name }) => [name, new Map<number, number>()]));
    const sendAs = async (request: DescribedRequest, isLearning: boolean): Promise<void> => {
      const sent = fillIn(request, api.url, told, findKey(request));
      const answer = await sendRequest(sent);
      if (request.method === null) {
        count(answers.get(request.operation.name)!, answer.status);
        if (isLearning) told.learn(request.operation, answer);
      }
      const found = check(request, sent, answer);
      if (found.length === 0) return;
      const problem = describe(request, sent, answer, found);
      if (!isForAll) throw new Error(problem);
      const kind = `${request.operation.name} ${found.join().replaceAll(/[\d"].*/g, '')}`;
      if (!kinds.has(kind)) kinds.set(kind, problem);
    };
    const send = async (request: DescribedRequest): Promise<void> => {
      const { companion } = request;
      const both = [sendAs(request, true)];
      if (companion !== null) both.push(sendAs({ ...request, caller: companion }, false));
      // both have been answered before the next one is sent, whatever is wrong with one of them
      for (const outcome of await Promise.allSettled(both)) if (outcome.status === 'rejected') throw outcome.reason;
    };
    const details = await fc.check(fc.asyncProperty(describedRequest(document, operations), send), {
      seed,
      numRuns: requests,
      ...(ms === undefined ? {} : { interruptAfterTimeLimit: ms }),
      ...(path === undefined ? {} : { path }),
    });
    const sentCount = [...answers.values()].flatMap((counts) => [...counts.values()]).reduce((sum, n) => sum + n, 0);
    return {
      answers,
      requests: sentCount,
      problem: problemOf(details, api.logged) ?? ([...kinds.values()].join('\n\n') || null),
      operations,
    };
  } finally {
    await api.stop();
    await db.end();
  }
}

const count = (counts: Map<number, number>, status: number): void =>
  void counts.set(status, (counts.get(status) ?? 0) + 1);

function problemOf(details: fc.RunDetails<[DescribedRequest]>, logged: StartedApi['logged']): string | null {
  if (!details.failed) return null;
  const lines = logged
    .filter(({ msg }) => msg === 'request.failed')
    .map((line) => JSON.stringify(line).slice(0, 2_000))
    .slice(-1);
  const error = details.errorInstance;
  return [
    error instanceof Error ? error.message : String(error),
    ...lines.map((line) => `The API logged: ${line}`),
    `seed ${details.seed}, path ${details.counterexamplePath ?? ''}`,
  ].join('\n');
}

/** What was sent, what came, and what is wrong with it. */
function describe(
  { operation, caller }: DescribedRequest,
  { method, url, body }: SentRequest,
  { status, text }: Answer,
  found: readonly string[],
): string {
  return [
    `${operation.name}: ${found.join('; ')}`,
    `  sent ${method} ${url.replace(/^http:..[^/]+/, '')} as a caller with ${caller} credentials`,
    ...(body === undefined ? [] : [`  body ${body.slice(0, 1_000)}`]),
    `  got ${status} ${text.slice(0, 1_000)}`,
  ].join('\n');
}
