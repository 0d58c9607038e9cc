import type { RouteConfig } from '@hono/zod-openapi';
import { addProblems } from '../openapi/add-problems.js';
import { problems } from '../openapi/problems.js';
import type { Plan } from './plans/plan.js';

const shardParameter = {
  name: 'shard',
  in: 'query' as const,
  description: 'The shard that is asked alone.',
  schema: { type: 'string' as const, pattern: '^[a-z][a-z0-9_]{0,15}$' },
};

/** The description of a route as it answers over several shards; its answers `describeAnswers` describes. */
export function describePlan(doc: RouteConfig, { takesShard, says }: Plan): RouteConfig {
  const parameters = [...(doc.parameters ?? []), ...(takesShard === true ? [shardParameter] : [])] as NonNullable<
    RouteConfig['parameters']
  >;
  const description = [doc.description, says].filter((text) => text !== undefined).join(' ');
  return addProblems(
    { ...doc, parameters, ...(description === '' ? {} : { description }) },
    problems('unknown_shard', 'shard_not_given', 'database_away'),
  );
}

const ID_PATTERN = String.raw`^[a-z][a-z0-9_]{0,15}\.[\w-]+$`;
const BARE_IDS = new Set(['^[1-9][0-9]{0,18}$', '^[1-9][0-9]{0,17}$', String.raw`^[1-9]\d*$`]);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is read as what it is
type Json = any;

/**
 * The document of the API over several shards: ids have the name of theirs, entries that belong to one say it, and an answer
 * of several says whose part is missing.
 */
export function describeAnswers(given: object, plans: Readonly<Record<string, Plan>>): object {
  const document = structuredClone(given) as Json;
  const schemas = document.components.schemas as Record<string, Json>;
  schemas['ShardProblem'] = {
    type: 'object',
    properties: {
      shard: { type: 'string' },
      problem: {
        type: 'string',
        enum: ['database_away', 'too_slow', 'failed', 'refused'],
        description: '`refused`: it has refused what others have done, with `code`.',
      },
      code: { type: 'string' },
    },
    required: ['shard', 'problem'],
  };
  nameIds(document);
  for (const item of Object.values<Json>(document.paths))
    for (const operation of Object.values<Json>(item)) {
      const plan = plans[operation.operationId as string];
      if (plan === undefined) continue;
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const content = response.content?.['application/json'] ?? response.content?.['text/event-stream'];
        if (!status.startsWith('2') || content === undefined) continue;
        if (plan.tagged !== undefined) tag(content.schema, plan.tagged, schemas);
        if (plan.isMerged === true) content.schema = withProblems(content.schema);
      }
    }
  return document;
}

const withProblems = (schema: Json): Json => ({
  allOf: [
    schema,
    {
      type: 'object',
      properties: {
        problems: {
          type: 'array',
          items: { $ref: '#/components/schemas/ShardProblem' },
          description: 'The shards whose part is missing; empty: none is.',
        },
        shards: {
          type: 'array',
          items: {},
          description: 'Of a change: in which shards it was made; of what is added up: the part of each.',
        },
      },
      required: ['problems'],
    },
  ],
});

const SHARD = { type: 'string', description: 'The shard that it is of.' };

/** Adds the field to the rows of an answer, or (`''`) to the answer itself. */
function tag(schema: Json, field: string, schemas: Record<string, Json>): void {
  const find = (one: Json): Json =>
    one.$ref === undefined ? one : schemas[(one.$ref as string).slice('#/components/schemas/'.length)];
  const whole = find(schema);
  const target = field === '' ? whole : find(find(whole).properties[field].items);
  if (target.allOf !== undefined) target.allOf.push({ type: 'object', properties: { shard: SHARD } });
  else target.properties = { ...target.properties, shard: SHARD };
}

/** Ids, wherever the document has one. */
function nameIds(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (value['x-duework-id'] !== undefined || BARE_IDS.has(value.pattern)) {
    value.pattern = ID_PATTERN;
    value.examples = ['b.2078000000000070'];
    delete value.example;
    delete value.minLength;
  }
  for (const one of Object.values(value)) nameIds(one);
}
