import { z } from 'zod';
import { ContractError } from './contract-error.js';

/** A JSON Schema of draft 2020-12, as zod writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The payload or the result of a job as JSON Schema: what a producer may send, or a handler may complete with. Throws
 * `ContractError` (`payload_not_json`, `result_not_json`) unless the schema's input and output are both plain JSON: the
 * parsed value is stored, and parsed again when it is read.
 */
export function describeSchema(
  type: string,
  part: 'payload' | 'result',
  zodSchema: z.ZodType,
  version?: number,
): JsonSchema {
  try {
    z.toJSONSchema(zodSchema, { io: 'output' });
    const { '~standard': _, ...schema } = z.toJSONSchema(zodSchema, { io: 'input' });
    return Object.freeze(schema);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const which = version === undefined ? part : `${part} of version ${version}`;
    throw new ContractError(`${part}_not_json`, `Job ${type}: its ${which} cannot be told as JSON Schema: ${reason}`, {
      cause,
    });
  }
}
