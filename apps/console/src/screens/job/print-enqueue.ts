import { quoteLostNumbers } from '../../json/keeps-numbers.js';
import { layOutJson } from '../../json/lay-out-json.js';

/** The request that enqueues the same again. */
export function printCurl(apiUrl: string, type: string, payload: string): string {
  const body = `{"type":${JSON.stringify(type)},"payload":${payload}}`.replaceAll("'", String.raw`'\''`);
  return [
    `curl -X POST ${apiUrl}/v1/jobs`,
    `-H "Authorization: Bearer $DUEWORK_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}

/** The same in TypeScript, with the contract under the name that its type suggests: what it prints compiles. */
export function printTypeScript(type: string, payload: string): string {
  const name = type.replaceAll(/[^a-zA-Z0-9]+(.)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
  const kept = quoteLostNumbers(payload);
  const note = kept === payload ? '' : '// a number of more digits than JavaScript keeps is written as text\n';
  return `${note}await enqueue(db, ${name}, ${layOutJson(kept)});`;
}
