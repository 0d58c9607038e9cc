import { layOutJson } from '../../json/lay-out-json.js';
import { listFields } from '../../json/list-fields.js';

/** A field of two JSON values, as each is written; null: that one has no such field. */
export interface FieldPair {
  readonly path: string;
  readonly one: string | null;
  readonly other: string | null;
  readonly differs: boolean;
}

/** The whole of what is no object. */
const ITSELF = '';

/** The fields of two JSON values side by side, in the order in which they are written. */
export function compareFields(one: string, other: string): readonly FieldPair[] {
  const [mine, theirs] = [fieldsOf(one), fieldsOf(other)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].map((path) => {
    const [left, right] = [mine.get(path) ?? null, theirs.get(path) ?? null];
    return { path, one: left, other: right, differs: layOut(left) !== layOut(right) };
  });
}

const layOut = (json: string | null): string | null => (json === null ? null : layOutJson(json));

function fieldsOf(json: string): ReadonlyMap<string, string> {
  const fields = listFields(json);
  return fields.length === 0
    ? new Map(json === '{}' ? [] : [[ITSELF, json]])
    : new Map(fields.map(({ path, json: value }) => [path, value]));
}
