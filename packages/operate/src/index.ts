/** Nothing yet. */
export type Nothing = never;
