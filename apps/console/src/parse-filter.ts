import { parseFilter as parse, type ParsedFilter } from '@duework/filter';

/** Reads a filter as the API does: over several databases ids begin with the name of theirs, and `shard:` is a field. */
export const parseFilter = (text: string): ParsedFilter => parse(text, { isOfShards: true });
