import { parseDatabaseUrl } from '@duework/database';
import { parseKeyRing } from '@duework/queue-core';
import { parseShardUrls, type ShardUrls } from '@duework/shards';
import { type AlertTarget, type AlertWish, readAlertTarget, readAlertWish } from '../alerts/alert-target.js';
import { type HoursOfDay, readHoursOfDay } from './hours-of-day.js';
import type { WorkerPort } from './settings.js';
import { WrongValue } from './options-error.js';

/** Makes a value of a text. Throws `WrongValue`. */
export type ReadValue<T> = (text: string) => T;

export function readWhole(min: number, max: number): ReadValue<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new WrongValue(`must be a whole number from ${min} to ${max}`);
  };
}

/** A port that is asked for; null: none. */
export const readPort: ReadValue<WorkerPort | null> = (text) => {
  if (text === 'none') return null;
  try {
    return { port: readWhole(0, 65_535)(text), isFixed: true };
  } catch {
    throw new WrongValue('must be a whole number from 0 to 65535, or none');
  }
};

export function readOneOf<T extends string>(values: readonly T[]): ReadValue<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new WrongValue(`must be one of ${values.join(', ')}`);
  };
}

/** The names of a comma list. */
const split = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** A comma list of names, of labels for example. */
export const readNames: ReadValue<readonly string[]> = (text) => {
  const names = split(text);
  if (names.every((name) => /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/.test(name))) return names;
  throw new WrongValue('must be a comma list of names of letters, digits, `_`, `-` and `.`, a letter first');
};

/** A comma list of some of `values`. */
export function readSomeOf(values: readonly string[]): ReadValue<readonly string[]> {
  return (text) => {
    const names = split(text);
    if (names.length > 0 && names.every((name) => values.includes(name))) return names;
    throw new WrongValue(`must be a comma list of ${values.join(', ')}`);
  };
}

/** Hours in which something may be done, more than none. */
export const readHours: ReadValue<HoursOfDay> = (text) => {
  const hours = readHoursOfDay(text);
  if (hours !== null && hours.from !== hours.to) return hours;
  throw new WrongValue('must be two times and a time zone, such as 02:00-04:00@Europe/Berlin');
};

export function readMatching(pattern: RegExp, expected: string): ReadValue<string> {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new WrongValue(expected);
  };
}

export const readWebUrl: ReadValue<string> = (text) => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && isDecodable(new URL(text))) return text;
  throw new WrongValue('must be an http or https URL');
};

/** One or some, with spaces between. */
export const readAlertTargets: ReadValue<readonly AlertTarget[]> = (text) =>
  [...new Set(text.trim().split(/\s+/))].map(readWebUrl).map(wrongly(readAlertTarget));

export const readAlertWhen: ReadValue<AlertWish> = (text) => wrongly(readAlertWish)(text);

const wrongly =
  <T>(read: (text: string) => T): ReadValue<T> =>
  (text) => {
    try {
      return read(text);
    } catch (error) {
      throw new WrongValue(`is wrong: ${(error as Error).message}`, { cause: error });
    }
  };

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}

export const readSmtpUrl: ReadValue<string> = (text) => {
  if (URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '') return text;
  throw new WrongValue('must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT');
};

const ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

/** A comma list of addresses. */
export const readAddresses: ReadValue<readonly string[]> = (text) => {
  const addresses = text.split(',').map((address) => address.trim());
  if (addresses.every((address) => ADDRESS.test(address))) return [...new Set(addresses)];
  throw new WrongValue('must be an address or a comma list of some: ana@example.com');
};

/** An address, also with a name before it. */
export const readAddress: ReadValue<string> = (text) => {
  const named = /^[^\r\n<>",]*<([^<>]+)>$/.exec(text);
  if (ADDRESS.test(named?.[1] ?? text)) return text;
  throw new WrongValue('must be an address: duework@example.com or Duework <duework@example.com>');
};

/** A key ring; the message has none of its keys. */
export const readKeys: ReadValue<string> = (text) => {
  try {
    parseKeyRing(text);
    return text;
  } catch (error) {
    throw new WrongValue(`is wrong. ${(error as Error).message}`, { cause: error });
  }
};

export const readDatabaseUrl: ReadValue<string> = (text) => {
  try {
    parseDatabaseUrl(text);
    return text;
  } catch (error) {
    throw new WrongValue(`is wrong. ${(error as Error).message}`, { cause: error });
  }
};

export const readShards: ReadValue<ShardUrls> = (text) => {
  try {
    return parseShardUrls(text);
  } catch (error) {
    throw new WrongValue(`is wrong. ${(error as Error).message}`, { cause: error });
  }
};

export const readRedisUrl: ReadValue<string> = (text) => {
  // a cluster alone has several hosts, of which the first one is looked at
  const first = text.replace(/^(rediss?)\+cluster:([^,]*)(,.*)?$/, '$1:$2');
  if (URL.canParse(first) && /^rediss?:$/.test(new URL(first).protocol) && /^[^,]+$/.test(new URL(first).hostname))
    return text;
  throw new WrongValue(
    'must be redis://HOST:PORT or rediss://USER:PASSWORD@HOST:PORT, of a cluster redis+cluster://HOST:PORT,HOST:PORT; characters such as @ : / # in the password must be percent-encoded (@ is %40)',
  );
};
