import { expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';
import type { AnyJson } from '../testing/use-test-api.js';
import { useTestApi } from '../testing/use-test-api.js';

const single = useTestApi();
const api = useTestShards(['a', 'b']);

/** Fields that are named like ids, and hold none of a database: where they stand in the document. */
const NO_IDS = new Set([
  // the public part of a key, which is the same wherever it is looked for
  'ApiKey.id',
  'Problem.requestId',
  // nothing asks for an event by it
  'PublishedEvent.id',
]);
/** Names of fields that hold ids, whatever they end in. */
const LIKE_ID = /^(id|ids|parent|batch|target|undoOf|of|jobId|runId|.*Id|.*Ids)$/;
/** Fields of these names that say something else. */
const OTHERS = new Set(['Figures.of', 'FlowTerms.of']);

/** Every field of the answers of all routes that may be an id, with whether it is marked. */
function findFields(document: AnyJson): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const seen = new Set<string>();
  const isMarked = (schema: AnyJson): boolean =>
    Object.keys(schema).some((key) => key.startsWith('x-duework-id')) ||
    (schema.items !== undefined && isMarked(schema.items));
  const isText = (schema: AnyJson): boolean =>
    [schema.type, schema.items?.type].flat().includes('string') &&
    schema.enum === undefined &&
    schema.format === undefined;

  function walk(schema: AnyJson, at: string): void {
    if (typeof schema !== 'object' || schema === null) return;
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1);
      if (seen.has(name)) return;
      seen.add(name);
      return walk(document.components.schemas[name], name);
    }
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(part, at);
    if (schema.items !== undefined) walk(schema.items, at);
    for (const [name, field] of Object.entries<AnyJson>(schema.properties ?? {})) {
      if (LIKE_ID.test(name) && isText(field)) found.set(`${at}.${name}`, isMarked(field));
      walk(field, field.$ref === undefined && field.items?.$ref === undefined ? `${at}.${name}` : at);
    }
  }
  for (const item of Object.values<AnyJson>(document.paths))
    for (const { operationId, responses } of Object.values<AnyJson>(item))
      for (const { content = {} } of Object.values<AnyJson>(responses))
        for (const { schema } of Object.values<AnyJson>(content)) walk(schema, operationId);
  return found;
}

test('every field of an answer that is an id is marked', async () => {
  const fields = findFields((await single.get('/openapi.json')).body);
  const unmarked = [...fields].filter(([name, isMarked]) => !isMarked && !NO_IDS.has(name) && !OTHERS.has(name));
  expect(unmarked).toEqual([]);
  expect([...fields].filter(([, isMarked]) => isMarked).length).toBeGreaterThan(20);
});

test('the document of several databases says what ids look like, and whose part may be missing', async () => {
  const document = await api.get('/openapi.json');
  const { schemas } = document.components;
  expect(new RegExp(schemas.Job.properties.id.pattern).test('b.2078000000000070')).toBe(true);
  expect(new RegExp(schemas.Job.properties.id.pattern).test('2078000000000070')).toBe(false);
  const list = document.paths['/v1/jobs'].get;
  expect(list.parameters).toContainEqual(expect.objectContaining({ name: 'shard', in: 'query' }));
  expect(list.responses['200'].content['application/json'].schema.allOf[1].properties.problems).toBeDefined();
  expect(schemas.LiveWorker.properties.shard).toBeDefined();
  expect(document.paths['/v1/shards']).toBeDefined();
  const [id] = document.paths['/v1/jobs/{id}'].get.parameters;
  expect(new RegExp(id.schema.pattern).test('b.2078000000000070')).toBe(true);
});

test('a single database has no shards', async () => {
  expect(await single.get('/v1/shards')).toMatchObject({ status: 404 });
  expect(await single.get('/v1/jobs?shard=a')).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  expect((await single.get('/v1/queues')).body).not.toHaveProperty('problems');
});
