/**
 * A validator with Standard Schema (https://standardschema.dev), and Standard JSON Schema if it can: zod 3.25 and
 * later, valibot, arktype and others. The types are written out here, so that this package needs no other.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Only for the compiler. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: StandardJsonSchema;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: StandardPath | undefined;
}

export type StandardPath = readonly (PropertyKey | { readonly key: PropertyKey })[];

/** Both throw for types that JSON Schema cannot describe. */
interface StandardJsonSchema {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
}

/** What a schema takes in. */
export type InputOf<TSchema> = TSchema extends StandardSchema
  ? NonNullable<TSchema['~standard']['types']>['input']
  : unknown;
/** What a schema makes of it. */
export type OutputOf<TSchema> = TSchema extends StandardSchema
  ? NonNullable<TSchema['~standard']['types']>['output']
  : unknown;

/**
 * The option `TKey` must be given for a schema whose validator does not write JSON Schema: zod before 4.2, valibot. If
 * the schema's type does not show it, `defineJob` throws.
 */
export type JsonSchemaOf<
  TSchema extends StandardSchema,
  TKey extends string,
  TJsonSchema,
> = 'jsonSchema' extends keyof TSchema['~standard'] ? unknown : { readonly [K in TKey]: TJsonSchema };

/** Whether a value is a schema of any validator; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard?.validate === 'function';
}
