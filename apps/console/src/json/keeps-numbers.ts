const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const isKept = (token: string): boolean => !/^-?\d{16,309}$/.test(token) || BigInt(token) === BigInt(Number(token));

/** Whether `JSON.parse` leaves every whole number of a JSON text what it is. */
export const keepsNumbers = (json: string): boolean => (json.match(TOKEN) ?? []).every(isKept);

/** A JSON text with those numbers as texts that `JSON.parse` would change. */
export const quoteLostNumbers = (json: string): string =>
  json.replace(TOKEN, (token) => (isKept(token) ? token : `"${token}"`));
