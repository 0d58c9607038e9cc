/** Whether a text is the id of a row: a decimal number that fits a bigint. Ids are opaque to everybody but this store. */
export function isRowId(text: string): boolean {
  return typeof text === 'string' && /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
}
