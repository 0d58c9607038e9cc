import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createQueueHandler } from '@duework/http';
import { Pool } from 'pg';
import { z } from 'zod';
import { root } from '../../../bootstrap/paths.mjs';
import { formatText } from '../format-text.js';
import { printType, type Schema } from './print-type.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** By media type. */
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A job whose type and payload say nothing, as the console knows any. */
const anyJob = defineJob({ type: 'any', version: 1, payload: z.record(z.string(), z.unknown()) });

/** The document of an API of which no job type is known. It is answered without a database, so the pool never connects. */
async function readDocument(): Promise<ApiDocument> {
  const handler = createQueueHandler({ db: new Pool(), catalog: defineCatalog([anyJob]) });
  const response = await handler(new Request('http://api/openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}: ${await response.text()}`);
  const document = (await response.json()) as ApiDocument;
  const { AnyPayload: _, NewAnyJob: any, ...schemas } = document.components.schemas;
  const NewJob = { ...any, properties: { ...any!.properties, type: { type: 'string' }, payload: {} } };
  return { ...document, components: { schemas: { ...schemas, NewJob } } };
}

export const apiTypesFile = join(root, 'apps/console/src/api/api-types.ts');

/** The text of the console's types, as `npm run format` would leave it. */
export async function writeApiTypes(): Promise<string> {
  const { paths, components } = await readDocument();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined && path.startsWith('/v1/'))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const text = `/** Generated out of the API's document by \`npm run write -- api-types\`. Moments are ISO 8601 in UTC. */

/** What the document gives a name. */
export interface Schemas {
${Object.entries(components.schemas)
  .map(([name, schema]) => `${printDoc(schema.description)}readonly ${name}: ${printType(schema)};`)
  .join('\n')}
}

/** What each operation takes and answers, by its name. */
export interface Operations {
${operations.map(({ operation }) => printOperation(operation)).join('\n')}
}

/** Where each operation is. */
export const OPERATIONS = {
${operations.map(({ operation, method, path }) => `${operation.operationId}: ['${method}', '${path}'],`).join('\n')}
} as const satisfies Record<keyof Operations, readonly [method: string, path: string]>;
`;
  return formatText(apiTypesFile, text);
}

function printOperation({ operationId, summary, parameters = [], requestBody, responses }: Operation): string {
  const sent = parameters.filter((one) => one.in !== 'header');
  const body = jsonOf(requestBody?.content);
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answers = good.map(([, { content }]) => jsonOf(content)).filter((schema) => schema !== undefined);
  return `${printDoc(summary)}readonly ${operationId}: {
readonly params: ${sent.length === 0 ? 'null' : `{ ${sent.map(printParameter).join(' ')} }`};
readonly body: ${body === undefined ? 'null' : printType(body)};
readonly answer: ${answers.length === 0 ? 'null' : [...new Set(answers.map(printType))].join(' | ')};
};`;
}

const jsonOf = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema;

const printParameter = ({ name, required = false, schema }: Parameter): string =>
  `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${printType(schema)}${required ? '' : ' | undefined'};`;

const printDoc = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
