import { ANY_JSON } from './any-json.js';
import { checkOption } from './check-option.js';
import { checkPast } from './check-past.js';
import { describeSchema, type JsonSchema } from './describe-schema.js';
import { parseValue } from './parse-value.js';
import type { PastPayloads } from './past.js';
import type { AnyOptions } from './read-rules.js';
import { checkSensitive } from './sensitive/check-sensitive.js';
import { isStandardSchema } from './standard-schema.js';

const SCHEMA = 'a schema of a validator that implements Standard Schema: zod 3.25 or later, valibot, arktype …';

/** What its payload, result and progress look like, today and in the past, and what of them is nobody's business. */
export function readSchemas(options: AnyOptions & { readonly past?: PastPayloads | undefined }) {
  const { type, version = 1, payload, defaultPayload, result = ANY_JSON, progress = ANY_JSON } = options;
  for (const [part, schema] of Object.entries({ payload, result, progress }))
    checkOption(type, part, typeof schema, isStandardSchema(schema), SCHEMA);
  const payloadJsonSchema = describeSchema({
    type,
    part: 'payload',
    schema: payload,
    given: options.payloadJsonSchema,
  });
  const resultJsonSchema: JsonSchema =
    result === ANY_JSON
      ? {}
      : describeSchema({ type, part: 'result', schema: result, given: options.resultJsonSchema });
  const isOwn = defaultPayload === undefined || parseValue(payload, defaultPayload).success;
  const sensitive = checkSensitive({
    owner: `Job ${type}`,
    part: 'payload',
    paths: options.sensitive,
    schema: payloadJsonSchema,
  });
  const { past, oldestVersion } = checkPast(type, version, options.past, sensitive);
  checkOption(type, 'defaultPayload', defaultPayload, isOwn, 'a payload of its own schema');
  return {
    payloadJsonSchema,
    past,
    oldestVersion,
    sensitive,
    sensitiveEver: [
      ...new Set([...sensitive, ...[...past.values()].flatMap((step) => step.sensitive)]),
    ] as readonly string[],
    sensitiveResult: checkSensitive({
      owner: `Job ${type}`,
      part: 'result',
      paths: options.sensitiveResult,
      schema: resultJsonSchema,
    }),
    encryption: readEncryption(options, sensitive),
  };
}

function readEncryption({ type, encryption = 'where_possible' }: AnyOptions, sensitive: readonly string[]) {
  const isFine = encryption === 'where_possible' || (encryption === 'required' && sensitive.length > 0);
  checkOption(
    type,
    'encryption',
    encryption,
    isFine,
    '"where_possible" or, where there is something sensitive, "required"',
  );
  return encryption;
}
