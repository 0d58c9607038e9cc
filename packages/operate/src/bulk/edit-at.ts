import type { Json } from '@duework/queue-core';

type Members = { readonly [name: string]: Json };

/**
 * A payload with another value at a path, or without the field where `value` is undefined. Returns undefined where the path
 * leads through something that is no object: only the last name may be new.
 */
export function editAt(payload: Json, path: readonly string[], value: Json | undefined): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined || !isMembers(payload)) return undefined;
  if (rest.length === 0) {
    const { [name]: _, ...others } = payload;
    return value === undefined ? others : { ...others, [name]: value };
  }
  const inner = Object.hasOwn(payload, name) ? editAt(payload[name]!, rest, value) : undefined;
  return inner === undefined ? undefined : { ...payload, [name]: inner };
}

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
