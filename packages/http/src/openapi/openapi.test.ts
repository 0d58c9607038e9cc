import { catalog } from '@duework/shop';
import { beforeAll, expect, test } from '@jest/globals';
import { HTTP_ERRORS } from '../http-errors.js';
import { useTestApi, type AnyJson } from '../testing/use-test-api.js';

const api = useTestApi();

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}
let document: AnyJson;
beforeAll(async () => {
  document = (await api.get('/openapi.json')).body;
});

const operations = (): [path: string, method: string, operation: Operation][] =>
  Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [path, method, operation] as [string, string, Operation]),
  );

function findRefs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item] : findRefs(item),
  );
}
const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: AnyJson, part) => at?.[part], document);

test('the OpenAPI document is valid 3.1 and names every route', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect(
    operations()
      .map(([path, method]) => `${method} ${path}`)
      .sort(),
  ).toEqual([
    'delete /v1/schedules/{key}',
    'get /',
    'get /approvals/{token}',
    'get /console',
    'get /console/{path}',
    'get /docs',
    'get /docs/{file}',
    'get /livez',
    'get /metrics',
    'get /openapi.json',
    'get /problems',
    'get /problems/{code}',
    'get /readyz',
    'get /v1/alerts',
    'get /v1/api-keys',
    'get /v1/audit',
    'get /v1/batches',
    'get /v1/batches/{id}',
    'get /v1/bulk-actions',
    'get /v1/bulk-actions/{id}',
    'get /v1/console/links',
    'get /v1/contracts',
    'get /v1/contracts/{type}/parses',
    'get /v1/doctor',
    'get /v1/due-times',
    'get /v1/effects/check',
    'get /v1/ended-jobs',
    'get /v1/events',
    'get /v1/failures',
    'get /v1/figures',
    'get /v1/flow',
    'get /v1/flow/{kind}/{name}',
    'get /v1/flow/{kind}/{name}/keys',
    'get /v1/jobs',
    'get /v1/jobs/count',
    'get /v1/jobs/{id}',
    'get /v1/jobs/{id}/approvals',
    'get /v1/jobs/{id}/effects',
    'get /v1/jobs/{id}/events',
    'get /v1/jobs/{id}/explain',
    'get /v1/jobs/{id}/steps',
    'get /v1/pauses',
    'get /v1/principal',
    'get /v1/published-events',
    'get /v1/queues',
    'get /v1/schedules',
    'get /v1/schedules/{key}',
    'get /v1/schedules/{key}/preview',
    'get /v1/sign-in',
    'get /v1/signals',
    'get /v1/unserved',
    'get /v1/workers',
    'get /v1/workflows',
    'patch /v1/flow/{kind}/{name}',
    'patch /v1/jobs/{id}',
    'patch /v1/queues/{queue}/slots',
    'post /approvals/{token}',
    'post /v1/alerts/acknowledge',
    'post /v1/alerts/silence',
    'post /v1/alerts/test',
    'post /v1/api-keys',
    'post /v1/api-keys/{key}/revoke',
    'post /v1/batches',
    'post /v1/batches/{id}/cancel',
    'post /v1/batches/{id}/jobs',
    'post /v1/bulk-actions',
    'post /v1/bulk-actions/preview',
    'post /v1/bulk-actions/{id}/abort',
    'post /v1/bulk-actions/{id}/undo',
    'post /v1/flow/{kind}/{name}/close',
    'post /v1/flow/{kind}/{name}/open',
    'post /v1/flow/{kind}/{name}/preview',
    'post /v1/jobs',
    'post /v1/jobs/batch',
    'post /v1/jobs/{id}/acknowledge',
    'post /v1/jobs/{id}/approve',
    'post /v1/jobs/{id}/cancel',
    'post /v1/jobs/{id}/change-wait',
    'post /v1/jobs/{id}/free-key',
    'post /v1/jobs/{id}/retry',
    'post /v1/published-events/{event}',
    'post /v1/published-events/{event}/replay',
    'post /v1/published-events/{event}/replay/preview',
    'post /v1/published-events/{event}/unsubscribe',
    'post /v1/queues/{queue}/pause',
    'post /v1/queues/{queue}/resume',
    'post /v1/queues/{queue}/slots/preview',
    'post /v1/schedule-previews',
    'post /v1/schedules/{key}/pause',
    'post /v1/schedules/{key}/resume',
    'post /v1/schedules/{key}/trigger',
    'post /v1/sign-in',
    'post /v1/sign-in/end',
    'post /v1/sign-in/refresh',
    'post /v1/sign-in/token',
    'post /v1/signals/{name}',
    'post /v1/types/{type}/pause',
    'post /v1/types/{type}/resume',
    'post /v1/wake',
    'put /v1/schedules/{key}',
  ]);
  const ids = operations().map(([, , { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [path, , { parameters = [], responses }] of operations()) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const [status, { description }] of Object.entries(responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(description).toEqual(expect.any(String));
    }
  }
  for (const ref of findRefs(document)) expect([ref, typeof resolve(ref)]).toEqual([ref, 'object']);
});

test('every refusal of every route is documented as a problem', () => {
  for (const [, , { responses }] of operations()) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) >= 400) expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
    }
  }
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(HTTP_ERRORS));
});

test('every route that is not public says which scope it needs, of a scheme that the document has', () => {
  const open = operations().filter(([, , operation]) => !('security' in operation));
  expect(open.map(([path]) => path).sort()).toEqual([
    '/',
    '/approvals/{token}',
    '/approvals/{token}',
    '/console',
    '/console/{path}',
    '/docs',
    '/docs/{file}',
    '/livez',
    '/openapi.json',
    '/problems',
    '/problems/{code}',
    '/readyz',
    '/v1/sign-in',
    '/v1/sign-in',
    '/v1/sign-in/end',
    '/v1/sign-in/refresh',
    '/v1/sign-in/token',
  ]);
  expect(document.paths['/v1/jobs'].get.security).toEqual([{ bearer: ['read'] }]);
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
});

test('a new job is described once per type, with the payload of its contract', () => {
  const { NewJob } = document.components.schemas;
  const { discriminator } = NewJob;
  expect(discriminator.propertyName).toBe('type');
  expect(Object.keys(discriminator.mapping)).toEqual(catalog.map(({ type }) => type));
  expect(NewJob.oneOf.map(({ $ref }: { $ref: string }) => $ref)).toEqual(Object.values(discriminator.mapping));
  for (const { type, payloadJsonSchema } of catalog) {
    const schema = resolve(discriminator.mapping[type]) as {
      properties: { type: { const: string }; payload: { $ref: string } };
    };
    expect(schema.properties.type.const).toBe(type);
    const payload = resolve(schema.properties.payload.$ref) as { properties: object };
    expect(Object.keys(payload.properties)).toEqual(Object.keys(payloadJsonSchema['properties'] as object));
  }
  expect(document.paths['/v1/jobs'].post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/NewJob',
  });
});

test('the index links to every part of the API, for people and for programs', async () => {
  const { body } = await api.get('/');
  for (const link of Object.values<string>(body.links)) expect((await api.get(link)).status).toBe(200);
  const page = await api.get('/', { Accept: 'text/html,*/*' });
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  for (const link of Object.values<string>(body.links)) expect(page.text).toContain(`href="${link}"`);
});
