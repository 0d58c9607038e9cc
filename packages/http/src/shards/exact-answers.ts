import { markNumber } from '../http/exact-json.js';

const NUMBER = /-?\d[\d.eE+-]*/g;

/** Reads the JSON of an answer; a number that JavaScript would change becomes a text, which `writeExactly` writes as that number. */
export function readExactly(text: string): unknown {
  return JSON.parse(markNumbers(text));
}

function markNumbers(text: string): string {
  let marked = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(at, end);
    const exact = between.replace(NUMBER, (number) =>
      String(Number(number)) === number ? number : JSON.stringify(markNumber(number)),
    );
    if (exact !== between) {
      marked += text.slice(from, at) + exact;
      from = end;
    }
    at = quote === -1 ? text.length : endOfText(text, quote);
  }
  return marked + text.slice(from);
}

/** Where a text that begins at a quote ends, behind its last quote. */
function endOfText(text: string, quote: number): number {
  for (let at = quote + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}
