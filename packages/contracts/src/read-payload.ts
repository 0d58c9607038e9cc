import type { JobContract } from './job-contract.js';
import { parseValue } from './parse-value.js';
import type { StandardSchema } from './standard-schema.js';

/** Today's payload, or why there is none. `why` names the version and the step, and never the value. */
export type PayloadReading =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly why: string };

/**
 * Reads a stored payload of any version that the contract knows: by the schema of that version, and then lifted step by
 * step to today's payload. What a step returns is parsed by the next version's schema. Whoever reads a stored payload
 * does it here.
 *
 * Throws only what a rule of one of the schemas throws, and `ContractError` (`async_schema`).
 */
export function readPayload(contract: JobContract, version: number, stored: unknown): PayloadReading {
  // nearly all runs
  if (version === contract.version) return parse(contract.payload, stored, '');
  if (contract.past.has(version)) return readPast(contract, version, stored);
  return refuse(
    `version ${version} is not one of ${contract.oldestVersion} to ${contract.version}, which are known here`,
  );
}

function readPast({ past, payload, version: today }: JobContract, version: number, stored: unknown): PayloadReading {
  let reading = parse(past.get(version)!.payload, stored, `version ${version}: `);
  for (let step = version; step < today && reading.success; step++) {
    const at = `version ${version}, lifted from ${step} to ${step + 1}: `;
    let lifted: unknown;
    try {
      lifted = past.get(step)!.lift(reading.data);
    } catch (error) {
      return refuse(`${at}the step threw ${nameOf(error)}`);
    }
    reading = parse(past.get(step + 1)?.payload ?? payload, lifted, at);
  }
  return reading;
}

function parse(schema: StandardSchema, value: unknown, at: string): PayloadReading {
  const parsed = parseValue(schema, value);
  if (parsed.success) return parsed;
  return refuse(at + parsed.issues.map(({ pointer, message }) => `${pointer} ${message}`).join('; '));
}

function refuse(why: string): PayloadReading {
  return { success: false, why };
}

/** Only the class, because an error's message may contain the value. */
function nameOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.constructor.name : undefined;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? name : 'something that is not an error';
}
