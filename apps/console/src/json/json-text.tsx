import type { JSX } from 'react';
import { texts } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { layOutJson } from './lay-out-json.js';

const PART = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON to be read: laid out, coloured, copied as it is. */
export function JsonText({ json, label }: { readonly json: string; readonly label: string }) {
  const text = layOutJson(json);
  return (
    <div className="group relative">
      <pre
        // what scrolls has to be scrolled by keys, too
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {colour(text)}
      </pre>
      <div className="absolute top-1 right-1">
        <CopyButton text={text} label={`${texts.copy.copy}: ${label}`} />
      </div>
    </div>
  );
}

function colour(text: string) {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const match of text.matchAll(PART)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(at, match.index));
    const look =
      string === undefined ? 'text-running' : colon === undefined ? 'text-succeeded' : 'text-ink font-medium';
    parts.push(
      <span key={match.index} className={look}>
        {string ?? whole}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
