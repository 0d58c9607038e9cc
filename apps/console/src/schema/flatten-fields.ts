import type { Field } from './field.js';

/** A field, and how it is named in its payload. */
export interface PlacedField {
  /** `customer.email`, `lines[].sku`. */
  readonly path: string;
  readonly field: Field;
}

/** Every field below one, an object before its members. */
export function flattenFields({ kind, members, item }: Field, path = ''): PlacedField[] {
  if (kind === 'list') return flattenFields(item!, `${path}[]`);
  return members.flatMap((field) => {
    const of = path === '' ? field.name : `${path}.${field.name}`;
    return [{ path: of, field }, ...flattenFields(field, of)];
  });
}
