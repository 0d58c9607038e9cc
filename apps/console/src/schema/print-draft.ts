import { itemsOf, membersOf, textOf, type Draft } from './draft.js';
import type { Field } from './field.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The JSON of what was typed; undefined: nothing was, and the field is left out. Numbers stay as they are written, however
 * long. What is no number, or no JSON, is sent as a text, so that the API says what is wrong with it, at its place.
 */
export function printDraft(field: Field, draft: Draft | undefined): string | undefined {
  const text = textOf(draft);
  switch (field.kind) {
    case 'object': {
      const members = field.members.flatMap((member) => {
        const value = printDraft(member, membersOf(draft)[member.name]);
        return value === undefined ? [] : [`${JSON.stringify(member.name)}:${value}`];
      });
      return members.length === 0 && !field.isRequired ? undefined : `{${members.join(',')}}`;
    }
    case 'list': {
      const items = itemsOf(draft).map((item) => printDraft(field.item!, item) ?? emptyItem(field.item!));
      return items.length === 0 && !field.isRequired ? undefined : `[${items.join(',')}]`;
    }
    case 'text':
      return text === '' ? nothing(field) : JSON.stringify(text);
    case 'number':
    case 'integer': {
      const number = text.trim();
      if (number === '') return nothing(field);
      return NUMBER.test(number) ? number : JSON.stringify(text);
    }
    case 'boolean':
    case 'choice':
      return text === '' ? nothing(field) : text;
    case 'json':
      if (text.trim() === '') return nothing(field);
      return isJson(text) ? text.trim() : JSON.stringify(text);
  }
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nothing = ({ isNullable, isRequired }: Field): string | undefined =>
  isNullable && isRequired ? 'null' : undefined;
const emptyItem = ({ kind, isNullable }: Field): string => (isNullable || kind !== 'text' ? 'null' : '""');
