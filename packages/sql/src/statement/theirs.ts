/** A type that each library has of its own, and that nothing here looks into. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Theirs = any;
