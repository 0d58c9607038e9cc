/** The patterns of ids of a database. */
const DATABASE_IDS = new Set(['^[1-9][0-9]{0,18}$', '^[1-9][0-9]{0,17}$', String.raw`^[1-9]\d*$`]);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is read as what it is
type Json = any;

/** The document of the API over any queue: only its store knows what its ids look like. */
export function describeAnswers(given: object): object {
  const document = structuredClone(given) as Json;
  document.info.description = 'A durable job queue.';
  freeIds(document);
  return document;
}

function freeIds(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (value['x-duework-id'] !== undefined || DATABASE_IDS.has(value.pattern)) {
    delete value.pattern;
    delete value.example;
  }
  for (const one of Object.values(value)) freeIds(one);
}
