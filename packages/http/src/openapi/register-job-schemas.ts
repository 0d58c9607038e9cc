import type { Catalog, JobContract } from '@duework/contracts';
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import { newJob } from '../jobs/new-job.js';

type Registry = OpenAPIHono['openAPIRegistry'];
type Component = Parameters<Registry['registerComponent']>[2];

export const NEW_JOB = '#/components/schemas/NewJob';

/**
 * Adds `NewJob` to the document: one schema per job type, told apart by `type`, whose payload is the contract's own
 * JSON Schema. So the document changes with the contracts, and a generated client knows every payload.
 */
export function registerJobSchemas(registry: Registry, catalog: Catalog): void {
  const { properties = {} } = z.toJSONSchema(newJob, { io: 'input' });
  const { type: _type, payload: _payload, ...options } = properties;
  for (const contract of catalog) {
    registry.registerComponent(
      'schemas',
      payloadName(contract),
      embed(contract.payloadJsonSchema, pointerTo(payloadName(contract))) as Component,
    );
    registry.registerComponent('schemas', jobName(contract), {
      type: 'object',
      properties: {
        type: { type: 'string', const: contract.type },
        payload: { $ref: pointerTo(payloadName(contract)) },
        ...options,
      },
      required: contract.defaultPayload === undefined ? ['type', 'payload'] : ['type'],
      additionalProperties: false,
    } as Component);
  }
  registry.registerComponent('schemas', 'NewJob', {
    oneOf: catalog.map((contract) => ({ $ref: pointerTo(jobName(contract)) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(catalog.map((contract) => [contract.type, pointerTo(jobName(contract))])),
    },
  });
}

const pointerTo = (name: string): string => `#/components/schemas/${name}`;
const toPascalCase = (type: string): string =>
  type.replace(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
const payloadName = ({ type }: JobContract): string => `${toPascalCase(type)}Payload`;
const jobName = ({ type }: JobContract): string => `New${toPascalCase(type)}Job`;

/** A schema that was a document of its own: its references are made relative to its place in this one. */
function embed(value: unknown, at: string): unknown {
  if (Array.isArray(value)) return value.map((item) => embed(item, at));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '$schema')
      .map(([key, item]) => [
        key,
        key === '$ref' && typeof item === 'string' && item.startsWith('#') ? at + item.slice(1) : embed(item, at),
      ]),
  );
}
