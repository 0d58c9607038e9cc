import { defineCatalog } from '@duework/contracts';
import { createQueueHandler } from '@duework/http';
import { Pool } from 'pg';
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

/** The document of an API without any job types. It is answered without a database, so the pool never connects. */
export async function readDocument(): Promise<ApiDocument> {
  const handler = createQueueHandler({ db: new Pool(), catalog: defineCatalog([]) });
  const response = await handler(new Request('http://api/openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ApiDocument;
}
