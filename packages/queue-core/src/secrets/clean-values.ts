import { SENSITIVE } from '@duework/contracts';

/** A text or number of a payload. */
export interface PayloadValue {
  readonly value: string | number;
  readonly pointer: string;
  readonly isSensitive: boolean;
}

/** A part of a sensitive text of so many characters, separators aside, is hidden, too: messages quote beginnings and ends. */
const PART = 7;
/** What is shorter identifies nobody, and stands in many messages by chance. */
const LEAST_SENSITIVE = 3;
const LEAST_OTHER = 6;

/** One lower-case word, such as a status or a kind: it stands in messages for its own sake. */
const PLAIN_WORD = /^[a-z]+(?:[_-][a-z]+)*$/;

/** What groups a value for people to read: blanks, dashes, dots, slashes and the like. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}_./:,|*+'\u00b7]+/gu;

/**
 * A text without the values of a payload. Sensitive ones become `[sensitive]` wherever they stand, and so does every part
 * of seven characters: in whatever case, grouped or joined in whatever way, as JSON, in a URL, in base64, as hexadecimal
 * digits, or backwards. Other texts of six characters and more, and numbers of six digits and more, become the place that
 * they have in the payload, `[/email]`, so that the message still says what was wrong; single lower-case words stay.
 */
export function cleanValues(text: string, values: readonly PayloadValue[]): string {
  const sensitive = values.filter(({ isSensitive }) => isSensitive);
  if (sensitive.length === 0) return hideOthers(text, values);
  const isHidden = new Uint8Array(text.length);
  const folded = fold(text);
  const joined = join(folded);
  for (const { value } of sensitive) {
    for (const form of formsOf(String(value))) {
      const parts = form.replace(SEPARATORS, '');
      if (parts.length >= PART) hideParts(joined, parts, isHidden);
      else hideWhole(folded, form, isHidden);
    }
  }
  return hideOthers(writeHidden(text, isHidden), values);
}

/** A text without its separators. */
interface Joined {
  /** Where each of its characters stands in the whole text. */
  readonly places: readonly number[];
  /** Its parts that were not found yet, each with where it begins. */
  readonly parts: Map<string, number[]>;
}

function join(text: string): Joined {
  const places: number[] = [];
  let from = 0;
  for (const { index, 0: separators } of text.matchAll(SEPARATORS)) {
    for (; from < index; from++) places.push(from);
    from = index + separators.length;
  }
  for (; from < text.length; from++) places.push(from);
  const joined = text.replace(SEPARATORS, '');
  const parts = new Map<string, number[]>();
  for (let at = 0; at + PART <= joined.length; at++) {
    const part = joined.slice(at, at + PART);
    const known = parts.get(part);
    if (known === undefined) parts.set(part, [at]);
    else known.push(at);
  }
  return { places, parts };
}

/** Each part is found once, so that the time grows with the lengths of both, whatever repeats in them. */
function hideParts({ places, parts }: Joined, form: string, isHidden: Uint8Array): void {
  for (let at = 0; at + PART <= form.length; at++) {
    const part = form.slice(at, at + PART);
    for (const place of parts.get(part) ?? []) isHidden.fill(1, places[place], places[place + PART - 1]! + 1);
    parts.delete(part);
  }
}

/** A short one is hidden where it stands alone, and from six characters on everywhere. */
function hideWhole(text: string, form: string, isHidden: Uint8Array): void {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
    if (form.length >= LEAST_OTHER || isAlone(text, at, at + form.length)) isHidden.fill(1, at, at + form.length);
}

/** The value as messages may write it. */
function formsOf(value: string): ReadonlySet<string> {
  const trimmed = value.trim();
  if (trimmed.length < LEAST_SENSITIVE) return new Set();
  const forms = [trimmed, JSON.stringify(trimmed).slice(1, -1)];
  if (trimmed.length >= LEAST_OTHER)
    forms.push(
      encodeURIComponent(trimmed.toWellFormed()),
      trimmed.split('').reverse().join(''),
      Buffer.from(trimmed).toString('hex'),
      ...base64Of(trimmed),
    );
  return new Set(forms.map(fold));
}

/** In base64 at the beginning of a text, and one or two bytes behind it: without the characters that its neighbours share. */
function base64Of(value: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + value).toString('base64');
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1);
  });
}

function hideOthers(text: string, values: readonly PayloadValue[]): string {
  const pointerOf = new Map<string, string>();
  for (const { value, pointer, isSensitive } of values) {
    if (isSensitive || !isTelling(value)) continue;
    for (const form of typeof value === 'string'
      ? [value.trim(), JSON.stringify(value.trim()).slice(1, -1)]
      : [String(value)])
      if (text.includes(form) && !pointerOf.has(form)) pointerOf.set(form, pointer);
  }
  const longestFirst = [...pointerOf].sort(([a], [b]) => b.length - a.length);
  return longestFirst.reduce((clean, [form, pointer]) => replaceAlone(clean, form, `[${pointer || '/'}]`), text);
}

function isTelling(value: string | number): boolean {
  if (typeof value === 'number') return String(Math.abs(value)).replace('.', '').length >= LEAST_OTHER;
  const trimmed = value.trim();
  return trimmed.length >= LEAST_OTHER && !PLAIN_WORD.test(trimmed);
}

function replaceAlone(text: string, form: string, shown: string): string {
  const parts: string[] = [];
  let rest = 0;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    if (at < rest || !isAlone(text, at, at + form.length)) continue;
    parts.push(text.slice(rest, at), shown);
    rest = at + form.length;
  }
  return parts.join('') + text.slice(rest);
}

/** Whether what stands there is no part of a longer word or number. */
function isAlone(text: string, from: number, to: number): boolean {
  const isWord = (at: number): boolean => at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text[at]!);
  return !(isWord(from - 1) && isWord(from)) && !(isWord(to) && isWord(to - 1));
}

function writeHidden(text: string, isHidden: Uint8Array): string {
  if (!isHidden.includes(1)) return text;
  let written = '';
  for (let at = 0; at < text.length; at++) {
    if (isHidden[at] !== 1) written += text[at];
    else if (at === 0 || isHidden[at - 1] !== 1) written += SENSITIVE;
  }
  return written;
}

/** Lower case, where that has as many characters, so that places are the same in both. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
