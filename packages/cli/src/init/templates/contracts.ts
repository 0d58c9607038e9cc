import type { Project } from '../project.js';

interface SchemaTemplate {
  readonly imports: readonly string[];
  readonly payload: string;
  /** Where the schema cannot be asked for it: how it is written from `payload`. */
  readonly jsonSchema?: string;
}

/** jobs/contracts: all that producers import. */
export function contractsFile(project: Project): string {
  const { imports, payload, jsonSchema } = schemaOf(project);
  // as an organizer of imports would sort them
  const sorted = [...imports, `import { defineCatalog, defineJob } from 'duework';`].sort((a, b) =>
    moduleOf(a) < moduleOf(b) ? -1 : 1,
  );
  const isApart = jsonSchema !== undefined;
  return `${sorted.join('\n')}
${isApart ? `\nconst payload = ${payload};\n` : ''}
/** What may be asked of the worker. Producers import this file, and nothing of the worker. */
export const sayHello = defineJob({
  type: 'say_hello',
  ${isApart ? `payload,\n  payloadJsonSchema: ${jsonSchema}` : `payload: ${payload}`},
});

export const catalog = defineCatalog([sayHello]);
`;
}

function schemaOf({ validator, zod }: Project): SchemaTemplate {
  switch (validator) {
    case 'zod':
      return {
        imports: [`import { z } from '${zod.module}';`],
        payload: 'z.object({ name: z.string().min(1) })',
        ...(zod.needsJsonSchema ? { jsonSchema: `z.toJSONSchema(payload, { io: 'input' })` } : {}),
      };
    case 'valibot':
      return {
        imports: [`import { toStandardJsonSchema } from '@valibot/to-json-schema';`, `import * as v from 'valibot';`],
        payload: 'toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(1)) }))',
      };
    case 'arktype':
      return { imports: [`import { type } from 'arktype';`], payload: `type({ name: 'string > 0' })` };
  }
}

const moduleOf = (line: string): string => line.slice(line.indexOf("'"));
