import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../bootstrap/paths.mjs';
import { printType, type Schema } from './print-type.js';
import { readDocument, type Content, type Operation, type Parameter } from './read-document.js';

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
  return format(text, { ...(await resolveConfig(apiTypesFile)), filepath: apiTypesFile });
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
