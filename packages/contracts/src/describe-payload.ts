import { z } from 'zod';
import { ContractError } from './contract-error.js';

/** A JSON Schema of draft 2020-12, as zod writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The payload of a job as JSON Schema: what a producer may send.
 * Throws `ContractError` (`payload_not_json`) unless both what goes in and what comes out is plain JSON: what is stored
 * at enqueue is the parsed payload, and the worker parses it again.
 */
export function describePayload(type: string, payload: z.ZodType): JsonSchema {
  try {
    z.toJSONSchema(payload, { io: 'output' });
    const { '~standard': _, ...schema } = z.toJSONSchema(payload, { io: 'input' });
    return Object.freeze(schema);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ContractError('payload_not_json', `Job ${type}: its payload cannot be told as JSON Schema: ${reason}`, { cause });
  }
}
