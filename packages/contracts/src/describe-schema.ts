import { ContractError } from './contract-error.js';
import { findNoJsonOfArktype } from './find-no-json-of-arktype.js';
import { findNoJsonOfZod } from './find-no-json-of-zod.js';
import { parseValue } from './parse-value.js';
import type { StandardSchema } from './standard-schema.js';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface Described {
  readonly type: string;
  readonly part: 'payload' | 'result';
  /** Of the contract's past; not given: today's. */
  readonly version?: number;
  readonly schema: StandardSchema;
  /** What the contract says itself; it goes before what the validator writes, and is checked no less. */
  readonly given: JsonSchema | undefined;
}

const TARGET = { target: 'draft-2020-12' } as const;

/**
 * The payload or the result of a job as JSON Schema: what a producer may send, or a handler may complete with. Throws
 * `ContractError` (`payload_not_json`, `result_not_json`) unless the schema's input and output are both plain JSON, as
 * far as its validator can tell: the parsed value is stored, and parsed again when it is read. Throws `async_schema` for
 * a schema that answers with a promise whatever it is given.
 */
export function describeSchema({ type, part, version, schema, given }: Described): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard'];
  const which = version === undefined ? part : `${part} of version ${version}`;
  const refuse = (reason: string, cause?: unknown): ContractError =>
    new ContractError(`${part}_not_json`, `Job ${type}: its ${which} cannot be written as JSON Schema: ${reason}`, {
      cause,
    });
  checkSynchronous(schema);
  const found = vendor === 'arktype' ? findNoJsonOfArktype(schema) : vendor === 'zod' ? findNoJsonOfZod(schema) : null;
  if (found !== null) throw refuse(`${vendor}'s ${found} is not plain JSON, or changes when it is parsed again`);
  if (jsonSchema === undefined) {
    if (given === undefined) throw refuse(`${vendor} does not write it by itself. ${lineToAdd(schema, part)}`);
    return freeze(given);
  }
  try {
    jsonSchema.output(TARGET);
    const written = jsonSchema.input(TARGET);
    return freeze(given ?? written);
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** A copy, because zod adds a property that is no part of the schema. */
function freeze(schema: JsonSchema): JsonSchema {
  return Object.freeze(JSON.parse(JSON.stringify(schema)) as JsonSchema);
}

/** Parses nothing at all: a schema that is asynchronous as a whole says so, and whatever else happens is not asked. */
function checkSynchronous(schema: StandardSchema): void {
  try {
    parseValue(schema, undefined);
  } catch (error) {
    if (ContractError.is(error)) throw error;
  }
}

function lineToAdd(schema: StandardSchema, part: 'payload' | 'result'): string {
  const { vendor } = schema['~standard'];
  if (vendor === 'valibot')
    return `Write ${part}: toStandardJsonSchema(schema). Run: npm install @valibot/to-json-schema`;
  if (vendor !== 'zod') return `Add ${part}JsonSchema: its JSON Schema (draft 2020-12).`;
  return '_zod' in schema
    ? `Add ${part}JsonSchema: z.toJSONSchema(schema, { io: 'input' }); zod 4.2 and later need no such line.`
    : `Use zod 4.2 or later, or z of its zod/v4, and add ${part}JsonSchema: z.toJSONSchema(schema, { io: 'input' }). To stay with zod 3: npm install zod-to-json-schema, and add ${part}JsonSchema: zodToJsonSchema(schema, { removeAdditionalStrategy: 'strict' }).`;
}
