import type { Project, Validator } from '../project.js';

const SCHEMAS: Readonly<Record<Validator, { readonly imports: readonly string[]; readonly payload: string }>> = {
  zod: { imports: [`import { z } from 'zod';`], payload: 'z.object({ name: z.string().min(1) })' },
  valibot: {
    imports: [`import { toStandardJsonSchema } from '@valibot/to-json-schema';`, `import * as v from 'valibot';`],
    payload: 'toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(1)) }))',
  },
  arktype: { imports: [`import { type } from 'arktype';`], payload: `type({ name: 'string > 0' })` },
};

/** jobs/contracts: all that producers import. */
export function contractsFile({ validator }: Project): string {
  const { imports, payload } = SCHEMAS[validator];
  // as an organizer of imports would sort them
  const sorted = [...imports, `import { defineCatalog, defineJob } from 'duework';`].sort((a, b) =>
    moduleOf(a) < moduleOf(b) ? -1 : 1,
  );
  return `${sorted.join('\n')}

/** What may be asked of the worker. Producers import this file, and nothing of the worker. */
export const sayHello = defineJob({
  type: 'say_hello',
  payload: ${payload},
});

export const catalog = defineCatalog([sayHello]);
`;
}

const moduleOf = (line: string): string => line.slice(line.indexOf("'"));
