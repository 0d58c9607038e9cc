import type { Catalog } from '@duework/contracts';
import { listSettings, type Setting, type SettingList, type Variables } from './list-settings.js';
import { OptionsError, WrongValue } from './options-error.js';
import {
  ALERT_SETTINGS,
  type AlertOptions,
  type AlertSetting,
  type AlertSettings,
  type SettingOptions,
  type Settings,
} from './settings.js';

/**
 * Reads the settings of a worker: a given option wins, then its variable, then the default. An option that is undefined
 * and a variable that is empty count as not given. The environment is read here only.
 *
 * @throws OptionsError with one readable line for each wrong value; no line has the value of a secret
 */
export function readSettings(options: SettingOptions, catalog: Catalog, variables: Variables = process.env): Settings {
  return readListed(listSettings(catalog), chooseDatabase(options, variables), variables);
}

/** With shards, the database is that of the one which is served, or of the first; what is wrong with them is told later. */
function chooseDatabase(options: SettingOptions, variables: Variables): SettingOptions {
  const given = options.shards ?? (variables['SHARDS'] || undefined);
  if (given === undefined) return options;
  const shards =
    typeof given === 'string'
      ? given
      : Object.entries(given)
          .map(([name, url]) => `${name}=${url}`)
          .join(' ');
  const shard = options.shard ?? variables['SHARD'];
  const parts = shards.trim().split(/\s+/);
  const served = parts.find((part) => part.startsWith(`${shard}=`)) ?? parts[0]!;
  return { ...options, shards, databaseUrl: served.slice(served.indexOf('=') + 1) };
}

/** Those settings alone that alerts need, for a program that is no worker. Throws as `readSettings`. */
export function readAlertSettings(options: AlertOptions, variables: Variables = process.env): AlertSettings {
  const all = listSettings([]);
  const listed = Object.fromEntries(ALERT_SETTINGS.map((key) => [key, all[key]]));
  return readListed<AlertSettings>(listed as Pick<SettingList, AlertSetting>, options, variables);
}

function readListed<T extends Partial<Settings>>(
  listed: { readonly [K in keyof T]-?: Setting<T[K]> },
  options: SettingOptions,
  variables: Variables,
): T {
  const wrong: string[] = [];
  const read = (key: keyof Settings, setting: Setting<unknown>): unknown => {
    const option = options[key];
    const variable = toVariable(key);
    const text = option === undefined ? variables[variable] || undefined : String(option);
    try {
      return text === undefined ? setting.fallback(variables, options) : setting.read(text);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      const isShown = text !== undefined && setting.isSecret !== true;
      const found = isShown ? `, but it is ${JSON.stringify(text)}` : '';
      wrong.push(`${option === undefined ? variable : key} ${error.message}${found}`);
      return undefined;
    }
  };
  const entries = Object.entries(listed) as [keyof Settings, Setting<unknown>][];
  const settings: Partial<Settings> = Object.fromEntries(entries.map(([key, setting]) => [key, read(key, setting)]));
  const { alertSmtpUrl, alertMailTo } = settings;
  if (wrong.length === 0 && (alertSmtpUrl === undefined) !== (alertMailTo === undefined))
    wrong.push(
      'ALERT_SMTP_URL and ALERT_MAIL_TO must be set together: a mail needs a server, and somebody who gets it',
    );
  const { shards, shard } = settings;
  if (shard !== undefined && wrong.length === 0 && shards?.[shard] === undefined)
    wrong.push(`SHARD must be one of SHARDS: ${Object.keys(shards ?? {}).join(', ') || 'none is given'}`);
  if (wrong.length > 0) throw new OptionsError(wrong);
  return settings as T;
}

/** `WORKER_NAME` of `workerName`. */
export function toVariable(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
