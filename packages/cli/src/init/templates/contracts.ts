import type { ContractsPackage, Project } from '../project.js';

interface SchemaTemplate {
  readonly imports: readonly string[];
  readonly payload: string;
  /** Where the schema cannot be asked for it: how it is written from `payload`. */
  readonly jsonSchema?: string;
}

/** jobs/contracts: all that producers import, or, with a package for that, what of it this worker runs. */
export function contractsFile(project: Project): string {
  const { contracts } = project;
  if (contracts === undefined) return `${contractOf(project, `defineCatalog, defineJob } from 'duework'`)}\n${CATALOG}`;
  const imports = [`import { defineCatalog } from 'duework';`, `import { sayHello } from '${contracts.name}';`];
  return `${sort(imports)}\n\nexport { sayHello };\n\n/** What this worker runs. */\n${CATALOG}`;
}

/** say-hello of the package that keeps the contracts. */
export const sharedContractFile = (contracts: ContractsPackage): string =>
  contractOf(contracts, `defineJob } from '${contracts.define}'`);

const CATALOG = 'export const catalog = defineCatalog([sayHello]);\n';

function contractOf(project: Pick<Project, 'validator' | 'zod'>, defining: string): string {
  const { imports, payload, jsonSchema } = schemaOf(project);
  const isApart = jsonSchema !== undefined;
  return `${sort([...imports, `import { ${defining};`])}
${isApart ? `\nconst payload = ${payload};\n` : ''}
/** What may be asked of the worker. Producers import this file, and nothing of the worker. */
export const sayHello = defineJob({
  type: 'say_hello',
  ${isApart ? `payload,\n  payloadJsonSchema: ${jsonSchema}` : `payload: ${payload}`},
});
`;
}

/** As an organizer of imports would. */
const sort = (lines: readonly string[]): string =>
  lines.toSorted((a, b) => (moduleOf(a) < moduleOf(b) ? -1 : 1)).join('\n');

function schemaOf({ validator, zod }: Pick<Project, 'validator' | 'zod'>): SchemaTemplate {
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
