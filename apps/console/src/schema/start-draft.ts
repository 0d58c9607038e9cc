import type { Draft } from './draft.js';
import type { Field } from './field.js';

/** What a form begins with: the value that is given, else the default of each field, else nothing. */
export function startDraft(field: Field, value: unknown = field.schema['default']): Draft {
  switch (field.kind) {
    case 'object': {
      const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
      return Object.fromEntries(field.members.map((member) => [member.name, startDraft(member, members[member.name])]));
    }
    case 'list':
      return Array.isArray(value) ? value.map((item) => startDraft(field.item!, item)) : [];
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'choice':
      // one value alone needs nobody to choose it
      if (field.isRequired && field.options.length === 1) return field.options[0]!;
      return value === undefined ? '' : JSON.stringify(value);
    default:
      return value === undefined ? '' : JSON.stringify(value);
  }
}
