import { defineCatalog, defineJob } from '@duework/contracts';
import { createQueueHandler } from '@duework/http';
import { Pool } from 'pg';
import { z } from 'zod';
import type { Schema } from './print-type.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A job whose type and payload say nothing, as the console knows any. */
const anyJob = defineJob({ type: 'any', version: 1, payload: z.record(z.string(), z.unknown()) });

/** The document of an API of which no job type is known. It is answered without a database, so the pool never connects. */
export async function readDocument(): Promise<ApiDocument> {
  const handler = createQueueHandler({ db: new Pool(), catalog: defineCatalog([anyJob]) });
  const response = await handler(new Request('http://api/openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}: ${await response.text()}`);
  const document = (await response.json()) as ApiDocument;
  const { AnyPayload: _, NewAnyJob: any, ...schemas } = document.components.schemas;
  const NewJob = { ...any, properties: { ...any!.properties, type: { type: 'string' }, payload: {} } };
  return { ...document, components: { schemas: { ...schemas, NewJob } } };
}
