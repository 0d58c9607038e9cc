/** The fields that are moments in whatever an API answers, and those that hold what others have written. */
const MOMENT = /(At|Until)$|^(at|since|until)$/;
const OTHERS = new Set(['payload', 'result', 'progress', 'before', 'after', 'options', 'meta']);

/** What an API has sent, with its moments as dates; payloads and their like stay as they are. */
export function reviveDeep(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(reviveDeep);
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([field, value]) => [
      field,
      OTHERS.has(field) ? value : MOMENT.test(field) && typeof value === 'string' ? new Date(value) : reviveDeep(value),
    ]),
  );
}
