import { readMembers } from './read-members.js';

/** One field of a JSON object: the names on the way to it, and its value as it is written. */
export interface WrittenField {
  readonly path: string;
  readonly json: string;
}

const MOST = 100;

/**
 * The fields of a JSON object and of the objects in it, at most 100, with dots between the names. What is in lists is a part of its
 * list, and a name that has a dot itself cannot be told so.
 */
export function listFields(json: string, before = ''): readonly WrittenField[] {
  const fields: WrittenField[] = [];
  for (const [name, value] of json.startsWith('{') ? readMembers(json) : []) {
    if (name === '' || name.includes('.')) continue;
    const inner = listFields(value, `${before}${name}.`);
    fields.push(...(inner.length > 0 ? inner : [{ path: before + name, json: value }]));
  }
  return fields.slice(0, MOST);
}
