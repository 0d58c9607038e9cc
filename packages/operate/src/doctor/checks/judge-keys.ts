import { found, type Finding } from '../findings.js';
import type { EndingKey } from '../sql/read-ending-keys.js';

/** API keys that expire soon, and those that somebody has used until they expired. */
export function judgeKeys(keys: readonly EndingKey[]): Finding[] {
  return keys.flatMap(({ name, seconds, isUsed }) => {
    const about = `key ${name}`;
    const make = `npx duework keys create --name ${name}-2 --scope …`;
    if (seconds > 0)
      return [
        found(
          'key_expiring',
          about,
          `The API key ${name} expires in ${span(seconds)}.`,
          `Make another one, deploy it, and revoke this one: ${make}, then npx duework keys revoke ${name}`,
        ),
      ];
    if (!isUsed) return [];
    return [
      found(
        'key_expired',
        about,
        `The API key ${name} has been used, and has expired ${span(-seconds)} ago.`,
        `Make another one where it is still needed (${make}), and revoke this one: npx duework keys revoke ${name}`,
      ),
    ];
  });
}

const span = (seconds: number): string => {
  const hours = Math.ceil(seconds / 3_600);
  if (hours < 48) return `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return `${Math.floor(hours / 24)} days`;
};
