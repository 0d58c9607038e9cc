export type JsonSchema = { readonly [keyword: string]: unknown };

export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'object' | 'list' | 'json';

/** One value of a payload, as its JSON Schema describes it. */
export interface Field {
  /** `''`: the payload itself, or an item of a list. */
  readonly name: string;
  /** `json`: something that has no input of its own, such as a record or one of several shapes. */
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isSensitive: boolean;
  readonly description: string | null;
  /** Its part of the schema, with references followed. */
  readonly schema: JsonSchema;
  /** Of a choice: its values as JSON. */
  readonly options: readonly string[];
  /** Of an object. */
  readonly members: readonly Field[];
  /** Of a list. */
  readonly item: Field | null;
}
