/** Reads one value, as PostgreSQL sends it. */
type Read = (value: string) => unknown;

const asIs: Read = (text) => text;
const readJson: Read = (text) => JSON.parse(text) as unknown;
const readTime: Read = (text) => new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00'));

const READS: { readonly [oid: number]: Read } = {
  // text, boolean, bigint, smallint, integer, double precision, json, jsonb, timestamptz
  25: asIs,
  16: (text) => text === 't',
  20: BigInt,
  21: Number,
  23: Number,
  701: Number,
  114: readJson,
  3802: readJson,
  1184: readTime,
  // arrays of integer, text, bigint
  1007: (text) => readArray(text, Number),
  1009: (text) => readArray(text, asIs),
  1016: (text) => readArray(text, asIs),
};

/** Where a client of the program asks for values in binary. */
const BINARY_READS: { readonly [oid: number]: (value: Buffer) => unknown } = {
  16: (bytes) => bytes[0] === 1,
  20: (bytes) => bytes.readBigInt64BE(),
  23: (bytes) => bytes.readInt32BE(),
  701: (bytes) => bytes.readDoubleBE(),
};

/**
 * How the values of this workspace's own statements are read: the `types` of a client or a statement of `pg`. A program may
 * set parsers of its own on `pg.types`, which are those of every client in its process; they change nothing here. What is
 * not listed is a text.
 */
export const ownTypes = {
  getTypeParser(oid: number, format?: string): (value: never) => unknown {
    if (format === 'binary') return BINARY_READS[oid] ?? String;
    return READS[oid] ?? asIs;
  },
};

/** Whether values of that type are among those of our statements. */
export const isOwnType = (oid: number): boolean => oid in READS;

/** An array of one dimension. */
function readArray(text: string, read: Read): unknown[] {
  const elements = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs);
  return Array.from(elements, ([plain, quoted]) => {
    if (quoted !== undefined) return read(quoted.replaceAll(/\\(.)/gs, '$1'));
    return plain === 'NULL' ? null : read(plain);
  });
}
