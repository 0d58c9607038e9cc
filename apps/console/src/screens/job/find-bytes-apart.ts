/** The size in bytes of a payload or result that is in the store of objects; null: the JSON text is the value itself. */
export function findBytesApart(json: string): number | null {
  if (!json.startsWith('{') || !json.includes('"$offloaded"')) return null;
  const { $offloaded, ...others } = JSON.parse(json) as { $offloaded?: { $object?: unknown; bytes?: unknown } };
  const isReference = Object.keys(others).length === 0 && typeof $offloaded?.$object === 'string';
  return isReference && typeof $offloaded?.bytes === 'number' ? $offloaded.bytes : null;
}
