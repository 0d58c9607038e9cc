import type { Catalog } from '@duework/contracts';
import { listSettings, type Setting, type Variables } from './list-settings.js';
import { OptionsError } from './options-error.js';
import type { SettingOptions, Settings } from './settings.js';
import { WrongValue } from './wrong-value.js';

/**
 * Reads the settings of a worker: a given option wins, then its variable, then the default. An option that is undefined
 * and a variable that is empty count as not given. The environment is read here only.
 *
 * @throws OptionsError with one readable line for each wrong value; no line has the value of a secret
 */
export function readSettings(options: SettingOptions, catalog: Catalog, variables: Variables = process.env): Settings {
  const wrong: string[] = [];
  const read = (key: keyof Settings, setting: Setting<unknown>): unknown => {
    const option = options[key];
    const variable = toVariable(key);
    const text = option === undefined ? variables[variable] || undefined : String(option);
    try {
      return text === undefined ? setting.fallback(variables) : setting.read(text);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      const isShown = text !== undefined && setting.isSecret !== true;
      const found = isShown ? `, but it is ${JSON.stringify(text)}` : '';
      wrong.push(`${option === undefined ? variable : key} ${error.message}${found}`);
      return undefined;
    }
  };
  const entries = Object.entries(listSettings(catalog)) as [keyof Settings, Setting<unknown>][];
  const settings = Object.fromEntries(entries.map(([key, setting]) => [key, read(key, setting)]));
  const { alertSmtpUrl, alertMailTo } = settings;
  if (wrong.length === 0 && (alertSmtpUrl === undefined) !== (alertMailTo === undefined))
    wrong.push(
      'ALERT_SMTP_URL and ALERT_MAIL_TO must be set together: a mail needs a server, and somebody who gets it',
    );
  if (wrong.length > 0) throw new OptionsError(wrong);
  return settings as unknown as Settings;
}

/** `WORKER_NAME` of `workerName`. */
export function toVariable(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
