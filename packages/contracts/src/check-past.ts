import { ContractError } from './contract-error.js';
import { describeSchema } from './describe-schema.js';
import type { Past, PastVersion } from './past.js';
import { checkSensitive, presentPaths } from './sensitive/check-sensitive.js';
import { markSensitive } from './sensitive/mark-sensitive.js';
import { isStandardSchema } from './standard-schema.js';

/**
 * The past of a contract, without a gap. Throws `ContractError`: `past_incomplete`, `payload_not_json` for a past payload
 * that is no JSON, and `sensitive_unknown`. For typed code a gap is a compile error, too.
 */
export function checkPast(
  type: string,
  version: number,
  given: { readonly [version: string]: unknown } | undefined | null,
  sensitiveToday: readonly string[],
): { past: Past; oldestVersion: number } {
  if ((given === undefined || given === null) && version > 1) {
    throw refuse(
      type,
      `has version ${version} but no past: add the payloads of earlier versions, or past: {} if no job or schedule of them is left`,
    );
  }
  const versions = Object.keys(given ?? {}).map(Number);
  const oldestVersion = Math.min(version, ...versions);
  if (versions.some((past) => !Number.isInteger(past) || past < 1 || past >= version))
    throw refuse(type, `must have versions 1 to ${version - 1} in past`);
  const past = new Map<number, PastVersion>();
  for (let step = oldestVersion; step < version; step++)
    past.set(step, checkStep(type, step, given?.[step], sensitiveToday));
  return { past, oldestVersion };
}

function checkStep(type: string, version: number, step: unknown, today: readonly string[]): PastVersion {
  const { payload, lift, payloadJsonSchema: given, sensitive: own } = (step ?? {}) as Partial<PastVersion>;
  if (!isStandardSchema(payload) || typeof lift !== 'function') {
    const what = step === undefined ? 'is missing in its past' : 'needs a payload and a lift in its past';
    throw refuse(type, `: version ${version} ${what}, so older payloads could not be lifted`);
  }
  const payloadJsonSchema = describeSchema({ type, part: 'payload', version, schema: payload, given });
  const paths = [...(own ?? []), ...presentPaths(today, payloadJsonSchema)];
  const sensitive = checkSensitive({
    owner: `Job ${type}`,
    part: `payload of version ${version}`,
    paths,
    schema: payloadJsonSchema,
  });
  return Object.freeze({ payload, lift, payloadJsonSchema: markSensitive(payloadJsonSchema, sensitive), sensitive });
}

function refuse(type: string, what: string): ContractError {
  return new ContractError('past_incomplete', `Job ${type}${what.startsWith(':') ? '' : ' '}${what}.`);
}
