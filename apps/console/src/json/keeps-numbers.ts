const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Whether `JSON.parse` leaves every whole number of a JSON text what it is. */
export function keepsNumbers(json: string): boolean {
  return (json.match(TOKEN) ?? []).every(
    (token) => !/^-?\d{16,309}$/.test(token) || BigInt(token) === BigInt(Number(token)),
  );
}
